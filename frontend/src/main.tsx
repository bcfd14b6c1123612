import "@/ui/mantineStyles";
import "@/ui/theme.css";
import "@/ui/blocks.css";

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { App } from "@/app/App";
import { listenForLostCode } from "@/app/lostCode";

listenForLostCode();

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
