import { expect, test } from "vitest";

import { addressOfGuide } from "@/lib/guides";

test("a guide has an address, with its anchor behind it", () => {
  expect(addressOfGuide("accounts")).toBe("/help/accounts/");
  expect(addressOfGuide("accounts#invite-people")).toBe("/help/accounts/#invite-people");
});
