import { type EntityModel, keepersOf, keepRows, NO_VERSION, type RowKeeper } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import {
  type CallOptions,
  type Change,
  callOptions,
  ETagMismatchError,
  OperationContext,
} from '@rowkey/rest'
import { CATALOGUE } from '../catalogue/catalogue-rows.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import { aKeyText, aModel, anEntity } from '../errors/rules.ts'
import {
  declarePattern,
  type ManyWritesOptions,
  manyWritesOptions,
} from '../options/pattern-options.ts'
import { untouched } from '../rows/changes.ts'
import { checkBeginnings } from '../rows/check-beginnings.ts'
import { keptRows, NOTHING_KEPT, planAgain } from '../rows/kept-rows.ts'
import { type Declared, declared, type ModelTable } from '../rows/model-table.ts'
import { etagOf, findStored, isSameKey } from '../rows/stored-row.ts'

/** The options of {@link declareFences}. */
export interface FenceOptions {
  /**
   * The beginning of the RowKeys of fences.
   *
   * @defaultValue `'fence_'`
   */
  readonly beginning?: string | undefined
}

const fenceOptions = declarePattern<FenceOptions>({ beginning: aKeyText })

/** A fence that a worker took, from {@link FenceTable.take}. */
export class Fence {
  /** The work that the fence is for: the second argument of `take`. */
  readonly name: string
  readonly #taken: TakenFence

  /** @internal */
  constructor(name: string, taken: TakenFence) {
    this.name = name // also lets a call reject a fence as its options: only `guard` makes them
    this.#taken = taken
  }

  /**
   * Returns the options of one write that must fail if another worker has taken the fence since. They have a context of
   * their own: make them anew for each call. A write that cannot check the fence is rejected, such as one by a table without the model.
   *
   * @param options - other options of the call, also those of another fence: then the write depends on both
   *
   * @example
   * ```ts
   * await employees.batch().insert(one).delete(other).submit(fence.guard())
   * ```
   */
  guard(options: CallOptions = {}): CallOptions {
    callOptions.check(options, 'guard of a fence')
    const context = options.context ?? new OperationContext()
    const taken = [...new Set([...takenIn(context), this.#taken])]
    // A transaction has changes, and a write of one entity is one.
    const admit = (sent: object) => checkGuarded(taken, sent as Change)
    context.admit = Object.assign(admit, { taken })
    return { ...options, context }
  }
}

/** The fences of a model, from {@link declareFences}. */
export type Fences<Partition extends object> = Declared<FenceTable<Partition>>

/** The fences of one table, from {@link Fences}. */
export class FenceTable<Partition extends object> {
  readonly #rule: FenceRule
  readonly #table: ModelTable

  /** @internal */
  constructor(rule: FenceRule, table: ModelTable) {
    this.#rule = rule
    this.#table = table
  }

  /**
   * Takes a fence. From then on the guarded writes of every worker that took it before are rejected with an
   * ETagMismatchError whose code is `FenceLost`.
   *
   * @param partition - the properties of the PartitionKey: a fence protects writes of one partition
   * @param name - the work that only one worker may do at a time; letters, digits, `-` and `_`
   */
  async take(partition: Partition, name: string, options: ManyWritesOptions = {}): Promise<Fence> {
    manyWritesOptions.check(options, 'take of a fence')
    checkArgument(anEntity, partition, 'The partition of a fence')
    checkName(name)
    const { model, beginning } = this.#rule
    const { account, name: table } = this.#table
    const partitionKey = model.partitionKey.print(partition)
    const rowKey = `${beginning}${name}`
    const token = account.service.defaults.newId()
    const take = (row: DynamicEntity): void => void row.set(TOKEN, token)
    const orInsert = () => new DynamicEntity(partitionKey, rowKey, { [TOKEN]: token })
    await account.table(table).modify([partitionKey, rowKey], take, { ...options, orInsert })
    return new Fence(name, { table, partitionKey, rowKey, token })
  }
}

/** How the fences of a model are stored. */
interface FenceRule {
  readonly model: EntityModel<object, object, object>
  /** What the RowKeys of fences begin with. */
  readonly beginning: string
}

/**
 * Declares fences for the writes of a model. A worker that was paused for too long wakes up and goes on writing, while another
 * one has its job. Each worker takes a fence before it begins, and guards its writes with it: those of a
 * worker whose fence was taken since fail whole.
 *
 * Call it next to the model, before the first write.
 *
 * @param model - the model
 * @param options - the RowKeys of fences
 * @throws ModelError when an entity could have the RowKey of a fence
 *
 * @example
 * ```ts
 * const fences = declareFences(Employee)
 * const fence = await fences.on(account).take({ department: 'Sales' }, 'import')
 * await employees.batch().insert(one).insert(other).submit(fence.guard())
 * ```
 */
export function declareFences<
  Entity extends object,
  Input extends object,
  Key extends object,
  Partition extends object = Partial<Key>,
>(
  model: EntityModel<Entity, Input, Key, Partition>,
  options: FenceOptions = {},
): Fences<Partition> {
  fenceOptions.check(options, 'declareFences')
  const { beginning = 'fence_' } = options
  checkArgument(aModel, model, 'declareFences')
  const rule = { model: model as EntityModel<object, object, object>, beginning }
  // The same fences may be declared twice.
  const others = keepersOf(rule.model).filter(
    ({ beginnings, isShared }) => isShared || String(beginnings) !== beginning,
  )
  checkBeginnings(rule.model, new Map([['its fences', beginning]]), others)
  keepRows(rule.model, fenceKeeper(rule), 'declareFences')
  return declared(rule.model, 'fences', (table) => new FenceTable(rule, table))
}

function checkName(name: unknown): void {
  if (typeof name === 'string' && /^[\w-]+$/.test(name)) return
  throw invalidPatternOption(
    `The name of a fence must have one or more letters, digits, - and _; got ${JSON.stringify(String(name))}.`,
  )
}

/** The property of a fence that names who took it last. */
const TOKEN = 'Token'

/** The names of the operations that change entities. */
const WRITES = /^(?:insert|update|merge|delete)\w*Entity/

/** A fence as the worker that took it knows it. */
interface TakenFence {
  readonly table: string
  readonly partitionKey: string
  readonly rowKey: string
  readonly token: string
}

/** Returns the fences that a call depends on. */
function takenIn(context: OperationContext | undefined): readonly TakenFence[] {
  return Object(context?.admit).taken ?? []
}

/** Makes the transactions of a worker depend on the fences that it took. */
function fenceKeeper({ model, beginning }: FenceRule): RowKeeper {
  return {
    ...keptRows(model, new Map([[beginning, 'fences']])),
    touches: () => true,
    async plan([first], { table, options }) {
      const taken = takenIn(options.context)
      if (first === undefined) return NOTHING_KEPT
      const checks = taken.map(async (fence) => {
        const isHere = fence.table === table.name && fence.partitionKey === first.key.partitionKey
        const stored = isHere ? await findStored(table, fence, options) : undefined
        if (stored === undefined || stored[TOKEN] !== fence.token) throw lost(fence, isHere)
        return untouched(table.name, fence, etagOf(stored))
      })
      // Another call of the same worker may write the fence; then whose it is now is read again.
      return { companions: await Promise.all(checks), rejected: planAgain }
    },
  }
}

/**
 * Checks that a write depends on fences: a table without the model does not know them.
 *
 * @throws InputError (`InvalidPatternOption`)
 */
function checkGuarded(taken: readonly TakenFence[], sent: Change): void {
  // The call rejects any other input.
  if (typeof sent.input !== 'object' || sent.input === null) return
  const changes: readonly Change[] = Reflect.get(sent.input, 'changes') ?? [sent]
  const isHarmless = ({ operation: { name }, input: { key, etag } }: Change) =>
    !WRITES.test(name) || etag === NO_VERSION || key.partitionKey === CATALOGUE
  const isChecked = (fence: TakenFence) => changes.some(({ input }) => isSameKey(input.key, fence))
  const open = taken.find((fence) => !isChecked(fence))
  if (open === undefined || changes.every(isHarmless)) return
  throw invalidPatternOption(
    `A write with guard() of the fence ${placeOf(open)} does not check it, so it was not sent. Write by a table of a model that declares fences, and in a batch of several types at least one row of it.`,
  )
}

function placeOf({ table, partitionKey, rowKey }: TakenFence): string {
  return `${JSON.stringify([partitionKey, rowKey])} of table ${table}`
}

function lost(fence: TakenFence, isHere: boolean): ETagMismatchError {
  const place = placeOf(fence)
  const message = isHere
    ? `Another worker has taken the fence ${place} since. Nothing was written: stop this work.`
    : `The fence ${place} is in another partition than the write, so it cannot protect it. Nothing was written: take a fence in the partition of the write.`
  const error = new ETagMismatchError({
    message,
    status: 412,
    code: 'FenceLost',
    requestId: undefined,
    operation: 'entityGroupTransaction',
    mayHaveApplied: false,
  })
  // The write was not sent: a repetition would fail in the same way.
  error.attempts = 0
  return error
}
