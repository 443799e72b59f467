/** A sentence about a fault, spoken at once; nothing for an empty text. */
export function Problem({ words }: { readonly words: string }) {
  return words === "" ? null : (
    <p class="failed" role="alert">
      {words}
    </p>
  );
}
