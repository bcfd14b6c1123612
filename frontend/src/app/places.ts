/** The places in the rail, in the palette and behind the `g` keys, defined once. */
import {
  IconBook,
  IconChecklist,
  IconCpu,
  IconDatabase,
  IconFolders,
  IconKey,
  IconPlugConnected,
  IconProgress,
  IconRobot,
  IconScale,
  IconSchool,
  IconDeviceAudioTape,
  IconStack2,
  IconUpload,
  IconUserCheck,
  IconUsers,
  type Icon,
} from "@tabler/icons-react";

export interface Place {
  path: string;
  name: string;
  description: string;
  icon: Icon;
  keys: string;
  /** Of no use to people who can only view the project. */
  writes?: true;
}

/** A place that is set up once: in the settings and in the palette, not in the rail. */
export interface SettingsPlace {
  path: string;
  name: string;
  description: string;
  icon: Icon;
  /** Only where people sign in with accounts. */
  needsAccounts?: true;
}

export const SETTINGS_PLACES: readonly SettingsPlace[] = [
  {
    path: "/projects",
    name: "Projects",
    description: "Make, rename and archive projects",
    icon: IconFolders,
  },
  {
    path: "/people",
    name: "People",
    description: "Who is in this project, and invitations",
    icon: IconUsers,
    needsAccounts: true,
  },
  {
    path: "/tokens",
    name: "Access tokens",
    description: "How your scripts sign in",
    icon: IconKey,
  },
];

/** The built documentation: a separate site, outside of the single-page app. */
export const HELP_PLACE = { path: "/help/", name: "Documentation", icon: IconBook };

export const PLACES: readonly Place[] = [
  {
    path: "/tapes",
    name: "Tapes",
    description: "Recorded agent sessions",
    icon: IconDeviceAudioTape,
    keys: "g t",
  },
  {
    path: "/batches",
    name: "Batches",
    description: "Tapes imported or run together, and comparisons",
    icon: IconStack2,
    keys: "g b",
  },
  {
    path: "/datasets",
    name: "Datasets",
    description: "Tapes for training and evaluation",
    icon: IconDatabase,
    keys: "g d",
  },
  {
    path: "/runs",
    name: "Runs",
    description: "Queued, running and finished work",
    icon: IconProgress,
    keys: "g r",
  },
  {
    path: "/agents",
    name: "Agents",
    description: "Agents, their versions and structure",
    icon: IconRobot,
    keys: "g a",
  },
  {
    path: "/training",
    name: "Training",
    description: "Training sets, finetunes, adapters and base models",
    icon: IconSchool,
    keys: "g f",
  },
  {
    path: "/evaluation",
    name: "Evaluation",
    description: "Sweeps and suites: which agent or model is better, and what has broken",
    icon: IconScale,
    keys: "g e",
  },
  {
    path: "/lint",
    name: "Linter",
    description: "Problems on tapes, and your own rules",
    icon: IconChecklist,
    keys: "g l",
  },
  {
    path: "/queues",
    name: "Annotate",
    description: "Queues where people rate tapes, and their agreement",
    icon: IconUserCheck,
    keys: "g q",
  },
  {
    path: "/models",
    name: "Models",
    description: "Language models, keys and prices",
    icon: IconCpu,
    keys: "g m",
  },
  {
    path: "/environments",
    name: "Environments",
    description: "MCP servers and what else answers agents: health, tools, last failure",
    icon: IconPlugConnected,
    keys: "g n",
  },
  {
    path: "/upload",
    name: "Upload",
    description: "Import tapes from files",
    icon: IconUpload,
    keys: "g u",
    writes: true,
  },
];
