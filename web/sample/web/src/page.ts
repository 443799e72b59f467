import { loadItems } from "./api.ts";
import { formatAmount } from "./format.ts";

const list = document.getElementById("items");

for (const item of await loadItems()) {
  const line = document.createElement("li");
  line.textContent = `${item.name}: ${formatAmount(item.amount, item.unit)}`;
  list?.append(line);
}
