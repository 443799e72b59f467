/** An image of the tree; its address lives as long as it is shown. */

import { useEffect, useRef } from "preact/hooks";

export function ImageView({ image, name }: { readonly image: Blob; readonly name: string }) {
  const element = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const address = URL.createObjectURL(image);
    if (element.current !== null) {
      element.current.src = address;
    }
    return () => URL.revokeObjectURL(address);
  }, [image]);
  return <img class="image-view" alt={name} ref={element} />;
}
