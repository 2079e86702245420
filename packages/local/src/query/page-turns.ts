import type { StoredEntity } from '../entity/stored-entity.ts'
import type { Visit } from '../store/table-store.ts'

/** Milliseconds after which a page ends, as on the service. */
const PAGE_TIME = 5_000

/** The most work in one turn: a few milliseconds of tests. */
const TURN_WORK = 20_000

/** Characters of a row that cost as much as one test. */
const SEARCHED = 256

/** What a page needs of its surroundings. */
interface PageSurroundings {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Lets other requests run; absent when the caller alone uses the service. */
  readonly rest?: (() => Promise<void>) | undefined
}

/** Splits the work of one page into turns. Between them, other requests are served. */
export class PageTurns {
  readonly #surroundings: PageSurroundings
  readonly #end: number
  #work = 0
  #isTimeUp = false

  /** Begins the first turn. */
  constructor(surroundings: PageSurroundings) {
    this.#surroundings = surroundings
    this.#end = surroundings.now() + PAGE_TIME
  }

  /** Whether the turn is over. */
  get isOver(): boolean {
    return this.#work >= TURN_WORK
  }

  /** Whether the page must end. */
  get isTimeUp(): boolean {
    return this.#isTimeUp
  }

  /** Records the work for a row: its text is searched, and tested some times. */
  spend(tests: number, { element }: Pick<StoredEntity, 'element'>): void {
    this.#work += 1 + tests + element.length / SEARCHED
  }

  /** Divides the visits of rows: one that begins a turn waits for it. */
  divide(visit: Visit<[row: StoredEntity]>): Visit<[row: StoredEntity]> {
    return (row) => (this.isOver ? this.next().then(() => visit(row)) : visit(row))
  }

  /** Begins the next turn, after other requests. */
  async next(): Promise<void> {
    await this.#surroundings.rest?.()
    this.#work = 0
    this.#isTimeUp = this.#surroundings.now() >= this.#end
  }
}
