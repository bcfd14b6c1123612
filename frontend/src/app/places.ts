/** The places of the rail, the palette and the `g` keys: written once. */
import {
  IconChecklist,
  IconCpu,
  IconDatabase,
  IconProgress,
  IconRobot,
  IconSchool,
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
    description: "Recorded agent sessions",
    icon: IconDeviceAudioTape,
    keys: "g t",
  },
  {
    path: "/batches",
    name: "Batches",
    description: "Tapes imported or run together, and comparisons",
    icon: IconStack2,
    keys: "g b",
  },
  {
    path: "/datasets",
    name: "Datasets",
    description: "Tapes for training and evaluation",
    icon: IconDatabase,
    keys: "g d",
  },
  {
    path: "/runs",
    name: "Runs",
    description: "Queued, running and finished work",
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
    path: "/training",
    name: "Training",
    description: "Training sets, finetunes, adapters and base models",
    icon: IconSchool,
    keys: "g f",
  },
  {
    path: "/lint",
    name: "Linter",
    description: "Problems on tapes, and your own rules",
    icon: IconChecklist,
    keys: "g l",
  },
  {
    path: "/queues",
    name: "Annotate",
    description: "Queues where people rate tapes, and their agreement",
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
