import { useLocalStorage, useMediaQuery } from "@mantine/hooks";
import {
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconSearch,
} from "@tabler/icons-react";
import { lazy, Suspense, useState, type ReactNode } from "react";
import { Link, useLocation } from "react-router";

import { useActiveJobCount } from "@/api/jobs";
import { openPalette } from "@/app/palette";
import type { Place } from "@/app/places";
import { HelpButton, SettingsButton } from "@/app/RailButtons";
import type { MenuName } from "@/app/RailMenus";
import classes from "@/app/Shell.module.css";
import { usePlaces } from "@/app/usePlaces";
import { whenIdle } from "@/lib/whenIdle";
import { KeyHint } from "@/ui/KeyHint";

const ProjectMenu = lazy(async () => {
  await whenIdle();
  return { default: (await import("@/app/ProjectMenu")).ProjectMenu };
});

const RailMenus = lazy(async () => {
  await whenIdle();
  return { default: (await import("@/app/RailMenus")).RailMenus };
});

export function Rail() {
  const narrow = useMediaQuery("(max-width: 1000px)");
  const [folded, setFolded] = useLocalStorage({ key: "studio.rail.folded", defaultValue: false });
  const collapsed = narrow || folded;
  const active = useActiveJobCount();
  const places = usePlaces();
  return (
    <nav
      className={`ts-column ${classes.rail}`}
      data-collapsed={collapsed || undefined}
      aria-label="Main navigation"
      data-tour="rail"
    >
      <Link to="/tapes" className={`ts-row ${classes.brand}`} aria-label="Tape Studio, go to tapes">
        <Mark />
        <span className={classes.word}>Tape Studio</span>
      </Link>
      <Suspense fallback={<div className={classes.project} />}>
        <ProjectMenu />
      </Suspense>
      <ul className={`ts-column ${classes.list}`}>
        <li>
          <RailButton icon={<IconSearch size={16} />} word="Search" onClick={openPalette}>
            <span className={classes.hint}>
              <KeyHint keys="mod+k" />
            </span>
          </RailButton>
        </li>
        {places.map((place) => (
          <li key={place.path}>
            <RailLink place={place} badge={place.path === "/runs" ? active : 0} />
          </li>
        ))}
      </ul>
      <div className={`ts-column ${classes.bottom}`}>
        {!narrow && (
          <RailButton
            icon={
              folded ? (
                <IconLayoutSidebarLeftExpand size={16} />
              ) : (
                <IconLayoutSidebarLeftCollapse size={16} />
              )
            }
            word={folded ? "Expand" : "Collapse"}
            onClick={() => setFolded(!folded)}
          />
        )}
        <Menus />
      </div>
    </nav>
  );
}

function RailLink({ place, badge }: { place: Place; badge: number }) {
  const { pathname } = useLocation();
  const Drawn = place.icon;
  return (
    <Link
      to={place.path}
      className={`ts-row ${classes.item}`}
      title={place.name}
      aria-current={isWithin(pathname, place.path) ? "page" : undefined}
    >
      <Drawn size={16} stroke={1.75} aria-hidden="true" />
      <span className={classes.word}>{place.name}</span>
      {badge > 0 && (
        <span className={classes.badge} aria-label={`${badge} active`}>
          {badge}
        </span>
      )}
    </Link>
  );
}

/** Whether an address is within a place; the page of a tape belongs to the list of tapes. */
function isWithin(pathname: string, path: string): boolean {
  if (path === "/tapes" && pathname.startsWith("/t/")) return true;
  return pathname === path || pathname.startsWith(`${path}/`);
}

interface RailButtonProps {
  icon: ReactNode;
  word: string;
  onClick: () => void;
  children?: ReactNode;
}

function RailButton({ icon, word, onClick, children }: RailButtonProps) {
  return (
    <button type="button" className={`ts-row ${classes.item}`} title={word} onClick={onClick}>
      {icon}
      <span className={classes.word}>{word}</span>
      {children}
    </button>
  );
}

/** Loaded lazily: until then plain buttons take their place and remember which one was pressed. */
function Menus() {
  const [asked, setAsked] = useState<MenuName | null>(null);
  return (
    <Suspense
      fallback={
        <>
          <HelpButton onClick={() => setAsked("help")} />
          <SettingsButton onClick={() => setAsked("settings")} />
        </>
      }
    >
      <RailMenus asked={asked} />
    </Suspense>
  );
}

function Mark() {
  return (
    <svg width={16} height={16} viewBox="0 0 16 16" aria-hidden="true">
      <rect x="0.5" y="2.5" width="15" height="11" rx="2.5" fill="#4f46e5" />
      <circle cx="5.25" cy="7.5" r="1.75" fill="none" stroke="#fff" strokeWidth="1.2" />
      <circle cx="10.75" cy="7.5" r="1.75" fill="none" stroke="#fff" strokeWidth="1.2" />
    </svg>
  );
}
