/** The link to a step of a compared tape: the diff page opens the tape, the editor stays. */
import { createContext, useContext } from "react";

export type StepAddress = (tapeId: string, position: number) => string;

const AddressContext = createContext<StepAddress>(
  (tapeId, position) => `/t/${tapeId}?step=${position}`,
);
export const StepAddressProvider = AddressContext.Provider;

export function useStepAddress(): StepAddress {
  return useContext(AddressContext);
}
