import {
  afterNextRender,
  Component,
  CUSTOM_ELEMENTS_SCHEMA,
  DestroyRef,
  inject,
  signal,
} from "@angular/core";
import { connect } from "treeglass";
import { answersOfSite } from "../answers-of-site.js";
import { TREE } from "../tree.js";

@Component({
  selector: "app-root",
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <treeglass-demo
      assets="/treeglass/"
      tool="list_dir"
      [source]="source"
      [arguments]="{ dir_path: '/repo' }"
    />
    <pre>{{ answers() }}</pre>
  `,
})
export class App {
  protected readonly source = { entries: TREE };
  protected readonly answers = signal("");

  constructor() {
    const destroyed = inject(DestroyRef);
    // In the browser alone: a server has no worker.
    afterNextRender(() => {
      const connecting = connect({ assets: "/treeglass/" });
      connecting.then(answersOfSite).then((found) => this.answers.set(found), reportError);
      destroyed.onDestroy(() =>
        connecting.then(
          (client) => client.close(),
          () => undefined,
        ),
      );
    });
  }
}
