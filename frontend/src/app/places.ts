/** The places of the rail, the palette and the `g` keys: written once. */
import {
  IconChecklist,
  IconCpu,
  IconDatabase,
  IconProgress,
  IconRobot,
  IconDeviceAudioTape,
  IconStack2,
  IconUpload,
  IconUserCheck,
  type Icon,
} from "@tabler/icons-react";

export interface Place {
  path: string;
  name: string;
  description: string;
  icon: Icon;
  keys: string;
}

export const PLACES: readonly Place[] = [
  {
    path: "/tapes",
    name: "Tapes",
    description: "Recorded sessions of agents",
    icon: IconDeviceAudioTape,
    keys: "g t",
  },
  {
    path: "/batches",
    name: "Batches",
    description: "Tapes that came or ran together, compared",
    icon: IconStack2,
    keys: "g b",
  },
  {
    path: "/datasets",
    name: "Datasets",
    description: "Tapes to train on and to evaluate with",
    icon: IconDatabase,
    keys: "g d",
  },
  {
    path: "/runs",
    name: "Runs",
    description: "Work that is queued, running or done",
    icon: IconProgress,
    keys: "g r",
  },
  {
    path: "/agents",
    name: "Agents",
    description: "Agents, their versions and structure",
    icon: IconRobot,
    keys: "g a",
  },
  {
    path: "/lint",
    name: "Linter",
    description: "What is wrong on tapes, and rules of your own",
    icon: IconChecklist,
    keys: "g l",
  },
  {
    path: "/queues",
    name: "Annotate",
    description: "Queues in which people judge tapes, and how far they agree",
    icon: IconUserCheck,
    keys: "g q",
  },
  {
    path: "/models",
    name: "Models",
    description: "Language models, keys and prices",
    icon: IconCpu,
    keys: "g m",
  },
  {
    path: "/upload",
    name: "Upload",
    description: "Import tapes from files",
    icon: IconUpload,
    keys: "g u",
  },
];
