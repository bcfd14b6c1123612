import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight, useSpotlight, type SpotlightActionData } from "@mantine/spotlight";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import {
  IconChevronRight,
  IconDeviceAudioTape,
  IconRobot,
  IconSearch,
  IconUserCheck,
} from "@tabler/icons-react";
import { useEffect, useRef, useState, type RefObject } from "react";
import { useNavigate } from "react-router";

import { agentsQuery } from "@/api/agents";
import { queuesQuery } from "@/api/queues";
import { useCanWrite } from "@/api/session";
import { recentTapesQuery } from "@/api/tapes";
import type { AgentRow, Queue, TapeRow } from "@/api/types";
import classes from "@/app/Shell.module.css";
import { EVERYWHERE } from "@/app/GlobalKeys";
import { paletteStore } from "@/app/palette";
import { HELP_PLACE, PLACES } from "@/app/places";
import { type NamedThing, useNamedThings } from "@/app/useNamedThings";
import { usePlaces, useSettingsPlaces } from "@/app/usePlaces";
import { listCommands, type OfferedCommand } from "@/lib/commands";
import { countOf } from "@/lib/format";
import { addressOfGuide, GUIDES } from "@/lib/guides";
import { visibleText } from "@/lib/visibleText";
import { KeyHint } from "@/ui/KeyHint";

/** The focus returns to where it was; a command that moves it runs after that. */
const AFTER_FOCUS_MS = 50;

/** Ctrl-K or ⌘K: the screen's commands, places, and everything with a name that has the text. */
export function CommandPalette() {
  const { opened: isOpen } = useSpotlight(paletteStore);
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), 200);
  const tapes = useQuery({
    ...recentTapesQuery(search),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  const agents = useQuery({ ...agentsQuery(), enabled: isOpen });
  const canWrite = useCanWrite();
  const queues = useQuery({ ...queuesQuery(), enabled: isOpen && canWrite });
  const work = useQueueActions(queues.data?.items ?? []);
  const places = usePlaceActions();
  const found = useTapeActions(tapes.data ?? []);
  const known = useAgentActions(agents.data ?? []);
  const named = useThingGroups(useNamedThings(isOpen && typed.trim() !== ""), typed);
  const list = useRef<HTMLDivElement>(null);
  useFirstMarked(list, isOpen && typed !== "");
  const groups = isOpen
    ? [
        ...groupByZone(listCommands(typed), typed),
        { group: "Queues", actions: typed.trim() === "" ? [] : rank(work, typed) },
        { group: "Go to", actions: rank(places, typed) },
        { group: "Agents", actions: typed.trim() === "" ? [] : rank(known, typed) },
        ...named,
        { group: "Documentation", actions: typed.trim() === "" ? [] : rank(GUIDE_ACTIONS, typed) },
        { group: search === "" ? "Recent tapes" : "Tapes", actions: found },
      ]
    : [];
  return (
    <Spotlight
      store={paletteStore}
      actions={groups.filter(({ actions }) => actions.length > 0)}
      // Already ranked above; and the server has already searched tapes, in steps as well as in
      // titles.
      filter={(_, actions) => actions}
      shortcut={null}
      query={typed}
      onQueryChange={setTyped}
      scrollable
      ref={list}
      overlayProps={{ blur: 0 }}
      attributes={{ content: { "aria-label": "Search and navigate" } }}
      classNames={{
        actionsGroup: classes.group,
        actionLabel: classes.label,
        actionBody: classes.body,
      }}
      maxHeight={440}
      nothingFound={tapes.isFetching ? "Searching…" : "No results"}
      searchProps={{
        placeholder: "Run a command, or go to a page or anything by its name",
        "aria-label": "Search",
        leftSection: <IconSearch size={16} />,
      }}
    />
  );
}

/**
 * The library marks in the document what Enter runs, once after each key. Actions that appear later
 * (tapes that were found, commands of a screen still being drawn) are inserted before it unmarked.
 */
function useFirstMarked(list: RefObject<HTMLDivElement | null>, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return;
    const actions = list.current?.querySelectorAll("[data-action]") ?? [];
    if ([...actions].some((action) => action.hasAttribute("data-selected"))) return;
    actions[0]?.setAttribute("data-selected", "true");
  });
}

interface ActionGroup {
  group: string;
  actions: SpotlightActionData[];
}

/** The screen's own commands; places are listed below with their keys, so not again as commands. */
function groupByZone(commands: readonly OfferedCommand[], typed: string): ActionGroup[] {
  const placeKeys = new Set(PLACES.map(({ keys }) => keys));
  const zones = new Map<string, SpotlightActionData[]>();
  for (const { zone, label, description, keys, run } of commands) {
    if (keys === "mod+k" || (keys !== undefined && placeKeys.has(keys))) continue;
    const actions = zones.get(zone) ?? [];
    actions.push({
      id: `${zone} ${label}`,
      label,
      // A typed number is matched by itself and need not be repeated in the label.
      keywords: [zone, description ?? ""],
      leftSection: <IconChevronRight size={16} stroke={1.75} />,
      rightSection: keys === undefined ? undefined : <KeyHint keys={keys} />,
      onClick: () => void setTimeout(run, AFTER_FOCUS_MS),
    });
    zones.set(zone, actions);
  }
  const inOrder = [...zones].sort(([one], [other]) => rankOf(one) - rankOf(other));
  return inOrder.map(([group, actions]) => ({ group, actions: rank(actions, typed) }));
}

/** Commands that work everywhere come after those of this screen. */
function rankOf(zone: string): number {
  return zone === EVERYWHERE ? 1 : 0;
}

function usePlaceActions(): SpotlightActionData[] {
  const navigate = useNavigate();
  const places = usePlaces();
  const others = useSettingsPlaces().map((place) => ({ ...place, keys: "" }));
  return [...places, ...others].map((place) => ({
    id: place.path,
    label: place.name,
    description: place.description,
    leftSection: <place.icon size={16} stroke={1.75} />,
    rightSection: place.keys !== "" && <KeyHint keys={place.keys} />,
    onClick: () => void navigate(place.path),
  }));
}

/** Guides open in a new tab, so that nothing in progress is interrupted. */
const GUIDE_ACTIONS: readonly SpotlightActionData[] = GUIDES.map(({ name, title }) => ({
  id: `guide ${name}`,
  label: title,
  leftSection: <HELP_PLACE.icon size={16} stroke={1.75} />,
  onClick: () => void window.open(addressOfGuide(name), "_blank", "noopener"),
}));

function useAgentActions(agents: readonly AgentRow[]): SpotlightActionData[] {
  const navigate = useNavigate();
  return agents.map((agent) => ({
    id: `agent ${agent.id}`,
    label: visibleText(agent.name),
    description: visibleText(agent.description),
    leftSection: <IconRobot size={16} stroke={1.75} />,
    onClick: () => void navigate(`/agents/${agent.id}`),
  }));
}

function useQueueActions(queues: readonly Queue[]): SpotlightActionData[] {
  const navigate = useNavigate();
  return queues.map(({ id, name, rubric_name: rubric, done_count: done, item_count: all }) => ({
    id: `queue ${id}`,
    label: `Annotate: open queue ${visibleText(name)}`,
    description: `${visibleText(rubric)}, ${done} of ${countOf(all, "item")} done`,
    leftSection: <IconUserCheck size={16} stroke={1.75} />,
    onClick: () => void navigate(`/queues/${id}/annotate`),
  }));
}

/** In the order of the rail, with its icons. */
function useThingGroups(things: readonly NamedThing[], typed: string): ActionGroup[] {
  const navigate = useNavigate();
  return PLACES.map(({ path, name: group, icon: PlaceIcon }) => {
    const actions = things
      .filter(({ place }) => place === path)
      .map(({ id, kind, name, address }) => ({
        id,
        label: visibleText(name),
        description: kind,
        leftSection: <PlaceIcon size={16} stroke={1.75} />,
        onClick: () => void navigate(address),
      }));
    return { group, actions: rank(actions, typed) };
  });
}

function useTapeActions(tapes: readonly TapeRow[]): SpotlightActionData[] {
  const navigate = useNavigate();
  return tapes.map((tape) => ({
    id: tape.id,
    label: tape.title === "" ? "Untitled tape" : visibleText(tape.title),
    description: [visibleText(tape.agent_name), countOf(tape.step_count, "step")]
      .filter(Boolean)
      .join(", "),
    leftSection: <IconDeviceAudioTape size={16} stroke={1.75} />,
    onClick: () => void navigate(`/t/${tape.id}`),
  }));
}

/** Labels that start with the text, that contain it, then descriptions: Enter runs the first. */
function rank(actions: readonly SpotlightActionData[], typed: string): SpotlightActionData[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === "") return [...actions];
  const nameOf = ({ label = "" }: SpotlightActionData) => label.toLowerCase();
  const begins = actions.filter((action) => nameOf(action).startsWith(wanted));
  const holds = actions.filter((action) => nameOf(action).includes(wanted));
  const described = actions.filter(({ description = "", keywords = [] }) =>
    [description, keywords].flat().some((text) => text.toLowerCase().includes(wanted)),
  );
  return [...new Set([...begins, ...holds, ...described])];
}
