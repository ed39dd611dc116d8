import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** What axe finds serious on a page, with the place where it was found. */
export async function serious(page: Page, where: string): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter((one) => one.impact === "serious" || one.impact === "critical")
    .map((one) => `${where}: ${one.id}: ${one.nodes[0]?.html}`);
}
