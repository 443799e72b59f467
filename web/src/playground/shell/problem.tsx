/** What went wrong, spoken at once; nothing for an empty text. */
export function Problem({ words }: { readonly words: string }) {
  return words === "" ? null : (
    <p class="failed" role="alert">
      {words}
    </p>
  );
}
