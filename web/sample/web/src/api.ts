export interface Item {
  readonly name: string;
  readonly amount: number;
  readonly unit: string;
}

/** Fetches the list from the server on this computer. */
export async function loadItems(): Promise<readonly Item[]> {
  const response = await fetch("/items");
  if (!response.ok) {
    throw new Error(`The list cannot be loaded (HTTP ${response.status}).`);
  }
  return response.json();
}
