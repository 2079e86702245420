import { type EntityKey, queryDigest, type RawEntity } from '@rowkey/odata'
import {
  type Call,
  type ContinuationToken,
  type EntitiesPage,
  type EntitiesQuery,
  EntityAlreadyExistsError,
  EntityNotFoundError,
  type EntityRead,
  entityName,
  findEntity,
  getEntity,
  queryEntities,
  type ReadResult,
  type TableService,
} from '@rowkey/rest'
import { pickMembers } from '../member/stored-member.ts'
import type { RowRule } from '../model/row-rule.ts'

/** Reads the rows of a table under its rules: those that a rule hides are left out. */
export class Rows {
  /** What decides which rows are in the table; empty when all are. */
  readonly rules: readonly RowRule[]
  readonly #hiding: readonly RowRule[]
  /** The stored names that tell which rows are hidden. */
  readonly #names: readonly string[]

  constructor(rules: readonly RowRule[]) {
    this.rules = rules
    this.#hiding = rules.filter(({ hides }) => hides !== undefined)
    this.#names = this.#hiding.flatMap(({ names }) => names)
  }

  /** Whether some rows may be hidden. */
  get isHiding(): boolean {
    return this.#hiding.length > 0
  }

  /** Returns those of the rows that also meet another rule. */
  with(rule: RowRule | undefined): Rows {
    return rule === undefined ? this : new Rows([...this.rules, rule])
  }

  /** The same rows, hidden ones too. */
  get all(): Rows {
    return this.isHiding ? new Rows(this.rules.filter(({ hides }) => hides === undefined)) : this
  }

  /** Tells whether a read of other rows has the same result. */
  readsAs({ rules }: Rows): boolean {
    return !this.isHiding
      ? rules.every(({ hides }) => hides === undefined)
      : this.rules.length === rules.length && this.rules.every((rule, at) => rule === rules[at])
  }

  /** Throws when a key is not that of a row which the table could have. */
  checkKey(key: EntityKey): void {
    for (const rule of this.rules) rule.checkKey?.(key)
  }

  /** Returns the body of the merge that hides a row in place of its deletion; `undefined` when deletes are final. */
  deletion(key: EntityKey, now: number): string | undefined {
    for (const rule of this.rules) if (rule.deletion) return rule.deletion(key, now)
    return undefined
  }

  /** Reads a row if it exists. */
  async find(call: Call, input: EntityRead): Promise<ReadResult | undefined> {
    if (!this.isHiding) return call.perform(findEntity, input)
    if (this.#isHiddenByKey(input.key, call)) return undefined
    const found = await call.perform(findEntity, this.#withNames(input))
    if (found === undefined || this.#hidingRule(found.raw, call.service.now())) return undefined
    return { ...found, raw: this.#withoutNames(found.raw, input.select) }
  }

  /**
   * Reads a row.
   *
   * @throws EntityNotFoundError when it does not exist
   */
  async get(call: Call, input: EntityRead): Promise<ReadResult> {
    if (!this.isHiding) return call.perform(getEntity, input)
    const found = await call.perform(getEntity, this.#withNames(input))
    const rule = this.#hidingRule(found.raw, call.service.now())
    if (rule !== undefined) throw hidden(input, rule)
    return { ...found, raw: this.#withoutNames(found.raw, input.select) }
  }

  /** Reads a page of a query. */
  async page(call: Call, input: EntitiesQuery): Promise<EntitiesPage> {
    if (!this.isHiding) return call.perform(queryEntities, input)
    const { service } = call
    const sent = this.#withFilter(this.#withNames(input), service)
    const query = { ...sent, continuation: rebound(input.continuation, input, sent) }
    const { entities, continuation } = await call.perform(queryEntities, query)
    // The service compared with a time that has passed.
    const now = service.now()
    const rows = entities.filter((raw) => !this.hides(raw, now))
    return {
      entities: rows.map((raw) => this.#withoutNames(raw, input.select)),
      continuation: rebound(continuation, sent, input),
    }
  }

  /** Tells whether a row is left out. */
  hides(raw: RawEntity, now: number): boolean {
    return this.#hidingRule(raw, now) !== undefined
  }

  /**
   * Checks that an insert may replace a hidden row.
   *
   * @throws EntityAlreadyExistsError
   */
  checkReplaced(raw: RawEntity, row: EntityRead, now: number): void {
    for (const rule of this.#hiding) {
      const problem = rule.hides?.(raw, now) ? rule.keeps?.(raw, now) : undefined
      if (problem !== undefined) throw taken(row, problem)
    }
  }

  #isHiddenByKey({ partitionKey, rowKey }: EntityKey, { service }: Call): boolean {
    const raw = { PartitionKey: partitionKey, RowKey: rowKey }
    return this.#hiding.some((rule) => rule.names.length === 0 && rule.hides?.(raw, service.now()))
  }

  #hidingRule(raw: RawEntity, now: number): RowRule | undefined {
    return this.#hiding.find((rule) => rule.hides?.(raw, now))
  }

  #withFilter(input: EntitiesQuery, { endpoint, now }: TableService): EntitiesQuery {
    const { flavour } = endpoint
    const filters = this.#hiding.flatMap((rule) => rule.filter?.(now(), flavour) ?? [])
    const filter = filters.reduce<string | undefined>(
      (first, next) => (first === undefined ? next : `(${first}) and ${next}`),
      input.filter,
    )
    return { ...input, filter }
  }

  /** Adds the names that tell which rows are hidden to a projection. */
  #withNames<Input extends { readonly select?: readonly string[] | undefined }>(
    input: Input,
  ): Input {
    const { select } = input
    if (select === undefined || this.#names.length === 0) return input
    return { ...input, select: [...new Set([...select, ...this.#names])] }
  }

  /** Removes the properties that the caller did not select. */
  #withoutNames(raw: RawEntity, select: readonly string[] | undefined): RawEntity {
    if (select === undefined) return raw
    const added = this.#names.filter((name) => !select.includes(name))
    return added.length === 0 ? raw : pickMembers(raw, (name) => !added.includes(name))
  }
}

/**
 * Moves a continuation from one query to another: the conditions of rules may have a new time in each page, but tokens
 * belong to the caller's query. A continuation of any third query stays as it is, and is rejected.
 */
function rebound(
  continuation: ContinuationToken | undefined,
  from: EntitiesQuery,
  to: EntitiesQuery,
): ContinuationToken | undefined {
  return continuation?.query === queryDigest(from)
    ? { ...continuation, query: queryDigest(to) }
    : continuation
}

/** Makes the error of an insert over a row that must stay. */
function taken(row: EntityRead, problem: string): EntityAlreadyExistsError {
  return new EntityAlreadyExistsError({
    ...factsOf(row, problem),
    status: 409,
    code: 'EntityAlreadyExists',
    operation: 'insertEntity',
  })
}

/** Makes the error of a row that is stored, but hidden. */
function hidden(row: EntityRead, { missing = 'does not exist.' }: RowRule): EntityNotFoundError {
  return new EntityNotFoundError({
    ...factsOf(row, missing),
    status: 404,
    code: 'ResourceNotFound',
    operation: 'getEntity',
  })
}

/** Returns the facts of an error that this program finds, and not the service. */
function factsOf({ table, key }: EntityRead, problem: string) {
  return {
    message: `${entityName({ table, key })} ${problem}`,
    requestId: undefined,
    mayHaveApplied: false,
  }
}
