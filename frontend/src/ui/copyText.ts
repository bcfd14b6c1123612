/** Copies text to the clipboard and reports whether that worked. */
import { notifications } from "@mantine/notifications";

export async function copyText(text: string | Promise<string>, message: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(await text);
    notifications.show({ message, autoClose: 1500, withBorder: true });
  } catch (error) {
    const isRefused = !(error instanceof Error) || error.name === "NotAllowedError";
    const reason = isRefused ? "The browser does not allow copying on this page." : error.message;
    notifications.show({ message: reason, color: "red" });
  }
}
