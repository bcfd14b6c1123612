import { lazy, Suspense, useEffect } from "react";
import { Outlet } from "react-router";

import { ConnectionBanner } from "@/app/ConnectionBanner";
import { GlobalKeys } from "@/app/GlobalKeys";
import { Rail } from "@/app/Rail";
import classes from "@/app/Shell.module.css";
import { Tour } from "@/app/tour/Tour";
import { listenForKeys } from "@/lib/keys";

const CommandPalette = lazy(async () => ({
  default: (await import("@/app/CommandPalette")).CommandPalette,
}));

/** Most of what is opened is a tape: its screen is at hand once there is nothing else to do. */
function loadTapeScreenSoon(): () => void {
  const timer = setTimeout(() => void import("@/app/TapeScreen"), 1000);
  return () => clearTimeout(timer);
}

/** The frame around every screen: rail, palette, banners. */
export function Shell() {
  useEffect(() => listenForKeys(), []);
  useEffect(loadTapeScreenSoon, []);
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <Rail />
      <div className={`ts-column ${classes.column}`}>
        <ConnectionBanner />
        <main id="main" className={`ts-column ${classes.main}`} tabIndex={-1}>
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <Suspense fallback={null}>
        <CommandPalette />
      </Suspense>
      <GlobalKeys />
      <Tour />
    </div>
  );
}
