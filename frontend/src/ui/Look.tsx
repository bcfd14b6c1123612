import { MantineProvider } from "@mantine/core";
import { ModalsProvider } from "@mantine/modals";
import { Notifications } from "@mantine/notifications";
import type { ReactNode } from "react";

import { cssVariables, theme } from "@/ui/theme";

/** Theme, dialogs and notifications: wraps every screen, and every test of one. */
export function Look({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <ModalsProvider labels={{ confirm: "Continue", cancel: "Keep" }}>
        <Notifications position="bottom-right" limit={4} />
        {children}
      </ModalsProvider>
    </MantineProvider>
  );
}
