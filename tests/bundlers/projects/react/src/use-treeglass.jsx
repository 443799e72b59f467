import { useEffect, useState } from "react";
import { connect } from "treeglass";

/** Returns a client once it has started, and closes it with the component. */
export function useTreeglass(assets = "/treeglass/") {
  const [client, setClient] = useState(null);
  useEffect(() => {
    const connecting = connect({ assets });
    let isMounted = true;
    connecting.then((started) => isMounted && setClient(started), reportError);
    return () => {
      isMounted = false;
      connecting.then(
        (started) => started.close(),
        () => undefined,
      );
    };
  }, [assets]);
  return client;
}
