import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { InterruptCells } from "../../src/protocol/interrupts.ts";

/** The two sides of one memory. */
function bothSides() {
  const page = new InterruptCells();
  return { page, worker: new InterruptCells(page.buffer) };
}

describe("the signal for a run", () => {
  test("is seen by the interpreter while that runs, and by the worker when it ends", () => {
    const { page, worker } = bothSides();
    worker.begin(7);
    page.interrupt(7);
    assert.deepEqual([...worker.signal], [2]);
    assert.equal(worker.end(7), true);
    assert.deepEqual([...worker.signal], [0]);
  });

  test("that comes too late is given to no other run", () => {
    const { page, worker } = bothSides();
    worker.begin(7);
    assert.equal(worker.end(7), false);
    page.interrupt(7);
    assert.deepEqual([...worker.signal], [0]);
    worker.begin(8);
    page.interrupt(7);
    assert.deepEqual([...worker.signal], [0]);
    assert.equal(worker.end(8), false);
  });

  test("can be given again once the interpreter has taken it", () => {
    const { page, worker } = bothSides();
    worker.begin(7);
    page.interrupt(7);
    worker.signal[0] = 0;
    page.interrupt(7);
    assert.deepEqual([...worker.signal], [2]);
  });

  for (const id of [1, 0x7f_fffe, 0x7f_ffff, 0x80_0000, Number.MAX_SAFE_INTEGER - 1]) {
    test(`reaches the run of request ${id}, and not that of the next`, () => {
      const { page, worker } = bothSides();
      worker.begin(id);
      page.interrupt(id + 1);
      assert.deepEqual([...worker.signal], [0]);
      page.interrupt(id);
      assert.deepEqual([...worker.signal], [2]);
      assert.equal(worker.end(id), true);
    });
  }
});
