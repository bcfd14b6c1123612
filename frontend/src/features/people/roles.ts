/** The roles in a project, and what each may do. */
import type { Role } from "@/api/types";

export const ROLES: readonly { value: Role; label: string; can: string }[] = [
  { value: "viewer", label: "Viewer", can: "Sees everything and changes nothing." },
  { value: "member", label: "Member", can: "Runs, edits and annotates." },
  { value: "owner", label: "Owner", can: "Also invites people and gives roles." },
];

const NAMES = new Map(ROLES.map(({ value, label }) => [value, label]));

export function roleName(role: Role): string {
  return NAMES.get(role) ?? role;
}

export function parseRole(value: string | null): Role | undefined {
  return ROLES.find((role) => role.value === value)?.value;
}
