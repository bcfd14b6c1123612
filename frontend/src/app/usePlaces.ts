/** The places that are of use to the person: others appear in no menu and have no key. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { sessionQuery, useCanWrite } from "@/api/session";
import { PLACES, SETTINGS_PLACES, type Place, type SettingsPlace } from "@/app/places";

export function usePlaces(): readonly Place[] {
  const canWrite = useCanWrite();
  return useMemo(() => PLACES.filter(({ writes }) => canWrite || writes !== true), [canWrite]);
}

export function useSettingsPlaces(): readonly SettingsPlace[] {
  const hasAccounts = useQuery(sessionQuery()).data?.has_accounts === true;
  return SETTINGS_PLACES.filter(({ needsAccounts }) => hasAccounts || needsAccounts !== true);
}
