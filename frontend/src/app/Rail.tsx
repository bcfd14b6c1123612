import { Menu, useMantineColorScheme } from "@mantine/core";
import { useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { openSpotlight } from "@mantine/spotlight";
import { useQuery } from "@tanstack/react-query";
import {
  IconApi,
  IconDeviceDesktop,
  IconHelp,
  IconKeyboard,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconLogout,
  IconMoon,
  IconRoute,
  IconSearch,
  IconSettings,
  IconSun,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";

import { openKeysDialog } from "@/app/KeysDialog";
import type { Session } from "@/api/types";
import { PLACES, type Place } from "@/app/places";
import classes from "@/app/Shell.module.css";
import { useActiveJobCount } from "@/api/jobs";
import { sessionQuery, signOut } from "@/api/session";
import { chooseProject } from "@/lib/project";
import { startTour, useTour } from "@/lib/tour";
import { KeyHint } from "@/ui/KeyHint";

export function Rail() {
  const narrow = useMediaQuery("(max-width: 1000px)");
  const [folded, setFolded] = useLocalStorage({ key: "studio.rail.folded", defaultValue: false });
  const collapsed = narrow || folded;
  const active = useActiveJobCount();
  return (
    <nav
      className={classes.rail}
      data-collapsed={collapsed || undefined}
      aria-label="Main navigation"
      data-tour="rail"
    >
      <Link to="/tapes" className={classes.brand} aria-label="Tape Studio, go to tapes">
        <Mark />
        <span className={classes.word}>Tape Studio</span>
      </Link>
      <ul className={classes.list}>
        <li>
          <RailButton icon={<IconSearch size={16} />} word="Search" onClick={openSpotlight}>
            <span className={classes.hint}>
              <KeyHint keys="mod+k" />
            </span>
          </RailButton>
        </li>
        {PLACES.map((place) => (
          <li key={place.path}>
            <RailLink place={place} badge={place.path === "/runs" ? active : 0} />
          </li>
        ))}
      </ul>
      <div className={classes.bottom}>
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
        <Help />
        <Settings />
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
      className={classes.item}
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

/** A tape's page belongs to the list of tapes. */
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
    <button type="button" className={classes.item} title={word} onClick={onClick}>
      {icon}
      <span className={classes.word}>{word}</span>
      {children}
    </button>
  );
}

/** How to find one's way: the keys, the tour, the API. */
function Help() {
  const left = useTour((tour) => tour.left);
  return (
    <Menu position="right-end" width={220} withinPortal>
      <Menu.Target>
        <button type="button" className={classes.item} aria-label="Help" title="Help">
          <IconHelp size={16} stroke={1.75} aria-hidden="true" />
          <span className={classes.word}>Help</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconKeyboard size={14} />}
          rightSection={<KeyHint keys="?" />}
          onClick={openKeysDialog}
        >
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item leftSection={<IconRoute size={14} />} onClick={startTour}>
          {left > 0 ? "Go on with the tour" : "Take the tour"}
        </Menu.Item>
        <Menu.Item component="a" href="/api/v1/docs" leftSection={<IconApi size={14} />}>
          The API
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const SCHEMES = [
  { value: "light", word: "Light", icon: IconSun },
  { value: "dark", word: "Dark", icon: IconMoon },
  { value: "auto", word: "As the system", icon: IconDeviceDesktop },
] as const;

function Settings() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { data: session } = useQuery(sessionQuery());
  return (
    <Menu position="right-end" width={200} withinPortal>
      <Menu.Target>
        <button type="button" className={classes.item} aria-label="Settings" title="Settings">
          <IconSettings size={16} stroke={1.75} />
          <span className={classes.word}>Settings</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {session !== undefined && <Menu.Label>Signed in as {session.user}</Menu.Label>}
        <ProjectItems session={session} />
        <Menu.Label>Theme</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => {
            const scheme = SCHEMES.find((one) => one.value === value);
            if (scheme !== undefined) setColorScheme(scheme.value);
          }}
        >
          {SCHEMES.map(({ value, word, icon: Drawn }) => (
            <Menu.RadioItem key={value} value={value} rightSection={<Drawn size={14} />}>
              {word}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={14} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Only where there is a choice. A switch reloads: nothing of the old project may stay. */
function ProjectItems({ session }: { session: Session | undefined }) {
  if (session === undefined || session.projects.length < 2) return null;
  return (
    <>
      <Menu.Label>Project</Menu.Label>
      <Menu.RadioGroup
        value={session.project_id}
        onChange={(id) => {
          chooseProject(id);
          window.location.assign("/tapes");
        }}
      >
        {session.projects.map(({ id, name, role }) => (
          <Menu.RadioItem
            key={id}
            value={id}
            rightSection={<span className="ts-dimmed">{role}</span>}
          >
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
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
