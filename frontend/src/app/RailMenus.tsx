/** The menus at the bottom of the rail: help, and this person's settings. */
import { Menu, useMantineColorScheme } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import {
  IconApi,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconRoute,
  IconSun,
} from "@tabler/icons-react";
import { useEffect, useRef, type ReactNode } from "react";
import { Link } from "react-router";

import { sessionQuery, signOut } from "@/api/session";
import { openKeysDialog } from "@/app/KeysDialog";
import { HELP_PLACE } from "@/app/places";
import { HelpButton, SettingsButton } from "@/app/RailButtons";
import { useSettingsPlaces } from "@/app/usePlaces";
import { startTour, useTour } from "@/lib/tour";
import { KeyHint } from "@/ui/KeyHint";

export type MenuName = "help" | "settings";

/** `asked`: the menu whose button was pressed before this component loaded. */
export function RailMenus({ asked }: { asked: MenuName | null }) {
  return (
    <>
      <Help isAsked={asked === "help"} />
      <Settings isAsked={asked === "settings"} />
    </>
  );
}

interface RailMenuProps {
  width: number;
  button: typeof HelpButton;
  isAsked: boolean;
  children: ReactNode;
}

/** A menu that was requested early opens from its button, so that the focus returns there. */
function RailMenu({ width, button: Target, isAsked, children }: RailMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    if (!isAsked || isDone.current) return;
    isDone.current = true;
    button.current?.focus();
    button.current?.click();
  }, [isAsked]);
  return (
    <Menu position="right-end" width={width} withinPortal>
      <Menu.Target>
        <Target ref={button} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

/** Help: the documentation, shortcuts, the tour, the API. */
function Help({ isAsked }: { isAsked: boolean }) {
  const left = useTour((tour) => tour.left);
  return (
    <RailMenu width={220} button={HelpButton} isAsked={isAsked}>
      <Menu.Item
        component="a"
        href={HELP_PLACE.path}
        target="_blank"
        leftSection={<HELP_PLACE.icon size={14} />}
      >
        {HELP_PLACE.name}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconKeyboard size={14} />}
        rightSection={<KeyHint keys="?" />}
        onClick={openKeysDialog}
      >
        Keyboard shortcuts
      </Menu.Item>
      <Menu.Item leftSection={<IconRoute size={14} />} onClick={startTour}>
        {left > 0 ? "Continue the tour" : "Take the tour"}
      </Menu.Item>
      <Menu.Item component="a" href="/api/v1/docs" leftSection={<IconApi size={14} />}>
        API reference
      </Menu.Item>
    </RailMenu>
  );
}

const SCHEMES = [
  { value: "light", word: "Light", icon: IconSun },
  { value: "dark", word: "Dark", icon: IconMoon },
  { value: "auto", word: "System", icon: IconDeviceDesktop },
] as const;

function Settings({ isAsked }: { isAsked: boolean }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { data: session } = useQuery(sessionQuery());
  const places = useSettingsPlaces();
  return (
    <RailMenu width={200} button={SettingsButton} isAsked={isAsked}>
      {session !== undefined && <Menu.Label>Signed in as {session.user}</Menu.Label>}
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
      {places.map(({ path, name, icon: Drawn }) => (
        <Menu.Item key={path} component={Link} to={path} leftSection={<Drawn size={14} />}>
          {name}
        </Menu.Item>
      ))}
      <Menu.Item leftSection={<IconLogout size={14} />} onClick={() => void signOut()}>
        Sign out
      </Menu.Item>
    </RailMenu>
  );
}
