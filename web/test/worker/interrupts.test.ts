import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { InterruptCells, nextRun } from "../../src/protocol/interrupts.ts";

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

  test("has room for the number of any run, and numbers come back after the last", () => {
    const { page, worker } = bothSides();
    const last = 0x7f_ffff;
    assert.deepEqual([nextRun(0), nextRun(last - 1), nextRun(last)], [1, last, 1]);
    worker.begin(last);
    page.interrupt(last);
    assert.deepEqual([...worker.signal], [2]);
    assert.equal(worker.end(last), true);
  });
});
