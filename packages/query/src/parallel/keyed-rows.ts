import type { EntityKey } from '@rowkey/odata'
import type { QueryOptions, QueryPage } from '../query-source.ts'
import type { QueryRun } from '../run/query-run.ts'
import { quiet } from '../run/results-in-order.ts'
import { runPages } from '../run/run-pages.ts'
import type { RequestGate } from './request-gate.ts'

/** A row and where it stands in the table. */
export interface KeyedRow<Row> {
  readonly key: EntityKey
  readonly row: Row
}

/**
 * The rows of one of several runs, in the order of their keys. It holds the page that is consumed, and
 * one more that is under way.
 */
export class KeyedRows<Row> {
  /** No row comes before this key. */
  readonly low: EntityKey
  readonly #pages: AsyncGenerator<QueryPage<KeyedRow<Row>>, void, undefined>
  readonly #prefetch: boolean
  readonly #gate: RequestGate
  #ahead: Promise<IteratorResult<QueryPage<KeyedRow<Row>>, void>> | undefined
  #rows: readonly KeyedRow<Row>[] = []
  #at = 0
  #ended = false

  /**
   * @param run - whose rows have keys
   * @param low - none of them comes before it
   * @param gate - what every request goes through
   */
  constructor(run: QueryRun<KeyedRow<Row>, QueryOptions>, low: EntityKey, gate: RequestGate) {
    this.low = low
    this.#gate = gate
    this.#prefetch = run.prefetch
    // The page ahead is asked for here.
    this.#pages = runPages({ ...run, prefetch: false })
  }

  /** The next row, if it has come. */
  get head(): KeyedRow<Row> | undefined {
    return this.#rows[this.#at]
  }

  /** Whether there are no more rows. */
  get ended(): boolean {
    return this.#ended
  }

  /** Asks for the next page, unless one is there or under way. */
  begin(): void {
    if (this.#ended || this.head !== undefined || this.#ahead !== undefined) return
    this.#askAhead()
  }

  /** Waits for the next row, or the end. */
  async fill(): Promise<void> {
    while (!this.#ended && this.head === undefined) {
      this.begin()
      const result = await this.#ahead
      this.#ahead = undefined
      this.#rows = result?.done === false ? result.value.items : []
      this.#at = 0
      this.#ended = result?.done !== false
    }
  }

  /** Takes the row that is the head; with the first of a page, the next page is asked for. */
  take(): KeyedRow<Row> | undefined {
    const head = this.head
    if (this.#prefetch && this.#at === 0 && head !== undefined) this.#askAhead()
    this.#at++
    return head
  }

  #askAhead(): void {
    this.#ahead = quiet(this.#gate.pass(() => this.#pages.next()))
  }
}
