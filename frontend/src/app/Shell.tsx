import { lazy, Suspense, useEffect } from "react";
import { Outlet, useLocation } from "react-router";

import { useCanWrite } from "@/api/session";
import { ConnectionBanner } from "@/app/ConnectionBanner";
import { GlobalKeys } from "@/app/GlobalKeys";
import { LostProject } from "@/app/LostProject";
import { Rail } from "@/app/Rail";
import classes from "@/app/Shell.module.css";
import { Tour } from "@/app/tour/Tour";
import { isForWriters, ViewOnly } from "@/app/ViewOnly";
import { useConnection } from "@/lib/connection";
import { listenForKeys } from "@/lib/keys";
import { whenIdle } from "@/lib/whenIdle";

const CommandPalette = lazy(async () => {
  await whenIdle();
  return { default: (await import("@/app/CommandPalette")).CommandPalette };
});

/** People mostly open tapes: the tape screen is preloaded once the browser is idle. */
function loadTapeScreenSoon(): () => void {
  const timer = setTimeout(() => void import("@/app/TapeScreen"), 1000);
  return () => clearTimeout(timer);
}

/** The screen for the address, if the person may see it. */
function Screen() {
  const isProjectLost = useConnection((state) => state.isProjectLost);
  const canWrite = useCanWrite();
  const { pathname } = useLocation();
  if (isProjectLost) return <LostProject />;
  if (!canWrite && isForWriters(pathname)) return <ViewOnly />;
  return <Outlet />;
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
            <Screen />
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
