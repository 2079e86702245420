import type { RawEntity } from '@rowkey/odata'
import type { Call } from '@rowkey/rest'
import type { KeptSlot } from '../model/kept-slot.ts'
import type { RowSource } from '../rows/entity-source.ts'
import type { TableParts } from '../rows/table-parts.ts'
import { joinPlans } from './join-plans.ts'
import { PartitionTurns } from './partition-turns.ts'
import type {
  DeletedPartitions,
  KeptCall,
  KeptPlan,
  KeptTable,
  RowKeeper,
  RowTransition,
} from './row-keeper.ts'

/** A keeper, and how it was declared. */
export interface DeclaredKeeper {
  readonly keeper: RowKeeper
  /** The function that declared it. */
  readonly declaration: string
  /** Tells the rows of its model from others in a union; absent where all are of its model. */
  readonly hasRow?: ((raw: RawEntity) => boolean) | undefined
  /** Whether queries do not use its source, because they read rows of other types, too. */
  readonly hasOthers?: boolean | undefined
}

/**
 * The keepers of a model: what its tables store with each write, and how their queries find rows. `keepRows` brings this code, so that
 * bundlers leave it out of programs without keepers.
 */
export class Keepers {
  /** The keepers, in the order in which they plan. */
  readonly declared: readonly DeclaredKeeper[]
  /** Whether queries may meet rows that Rowkey stores beside entities. */
  readonly hasKept: boolean
  readonly #turns: PartitionTurns

  /**
   * @param declared - the keepers
   * @param hasKept - as {@link Keepers.hasKept}
   * @param turns - of the writes of each partition
   */
  constructor(
    declared: readonly DeclaredKeeper[],
    hasKept: boolean,
    turns: PartitionTurns = new PartitionTurns(),
  ) {
    this.declared = declared
    this.hasKept = hasKept
    this.#turns = turns
  }

  /** Returns other keepers, whose writes follow those of these in each partition. */
  with(declared: readonly DeclaredKeeper[], hasKept: boolean): Keepers {
    return new Keepers(declared, hasKept, this.#turns)
  }

  /** Why rows must not be copied into the tables as they are stored; `undefined` when they may. */
  get uncopied(): string | undefined {
    return this.declared.find(({ keeper }) => keeper.uncopied !== undefined)?.keeper.uncopied
  }

  /** Whether something follows from their entities in other partitions, tables or stores. */
  get areElsewhere(): boolean {
    return this.declared.some(({ keeper }) => keeper.follow !== undefined)
  }

  /** Changes now what follows from deleted entities elsewhere. */
  async follow(
    partitions: DeletedPartitions,
    call: Pick<KeptCall, 'table' | 'account' | 'options'>,
  ): Promise<void> {
    for (const { keeper } of this.declared) await keeper.follow?.(partitions, call)
  }

  /** Tells whether a merge of these stored names matters to one of them. */
  touch(names: ReadonlySet<string>, table: KeptTable): boolean {
    return this.declared.some(({ keeper }) => keeper.touches(names, table))
  }

  /**
   * Plans what is stored together with some writes.
   *
   * @param transitions - what the writes do, each to another row of one partition
   */
  async plan(transitions: readonly RowTransition[], call: KeptCall): Promise<KeptPlan> {
    const plans: KeptPlan[] = []
    for (const { keeper, hasRow } of this.declared) {
      const own = hasRow ? transitions.flatMap((row) => partOf(row, hasRow)) : transitions
      if (own.length > 0 || hasRow === undefined) plans.push(await keeper.plan(own, call))
    }
    return joinPlans(plans)
  }

  /**
   * Sends writes of a partition: after the earlier ones of this process, if those would change a row together with them.
   *
   * @param send - sends them
   * @param call - its signal and its deadline end the wait
   */
  inTurn<Result>(
    { name, origin }: Pick<TableParts<object>, 'name' | 'origin'>,
    partitionKey: string,
    send: () => Promise<Result>,
    call: Call,
  ): Promise<Result> {
    if (!this.declared.some(({ keeper }) => keeper.isShared)) return send()
    return this.#turns.run(`${origin.account} ${name} ${partitionKey}`, call, send)
  }

  /**
   * Returns the source of queries: that of the first keeper asks the next one for what it does not find.
   *
   * @param own - sends the filter of a query
   * @param table - the table of the queries
   */
  source<Entity>(own: RowSource<Entity>, table: KeptTable): RowSource<Entity> {
    return this.declared.reduceRight(
      (next, { keeper, hasOthers }) => (hasOthers ? next : (keeper.source?.(next, table) ?? next)),
      own,
    )
  }
}

/** Returns the keepers that a model has now; `undefined` without any, and without a model. */
export function keepersIn(kept: KeptSlot | undefined): Keepers | undefined {
  return kept?.keepers as Keepers | undefined // only keepRows fills the slot
}

/** Returns what a write does to the rows of a type. Where only a mark tells types apart, a row of another type may take the key of one. */
function partOf(row: RowTransition, hasRow: (raw: RawEntity) => boolean): readonly RowTransition[] {
  const [before, after] = [row.before, row.after].map((raw) =>
    raw && hasRow(raw) ? raw : undefined,
  )
  return before === undefined && after === undefined ? [] : [{ ...row, before, after }]
}
