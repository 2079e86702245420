import type { EntityModel, KeptCall, KeptPlan, RowKeeper, RowTransition } from '@rowkey/mapper'
import { DynamicEntity, dynamicEntityCodec, type FilterNode } from '@rowkey/odata'
import { type CallOptions, type Change, insertEntity } from '@rowkey/rest'
import { checkList } from '../errors/check-arguments.ts'
import { printJson } from '../errors/print-json.ts'
import { checkOwnKey } from '../rows/check-beginnings.ts'

/** The effect of one write on one entity. */
export interface EntityTransition<Entity extends object> {
  /** The entity before the write; `undefined` when it is new. */
  readonly before: Entity | undefined
  /** The entity after the write; `undefined` when it was deleted. */
  readonly after: Entity | undefined
}

/** A partition whose outbox has messages, as JSON holds it. */
export interface OutboxPartition {
  /** The name of the table. */
  readonly table: string
  /** The PartitionKey. */
  readonly partitionKey: string
  /**
   * Whether no write of this announcement can be pending any more, so that this look at the
   * outbox is the last.
   */
  readonly last: boolean
}

/** How the messages of an outbox are made and announced. */
export interface OutboxRules {
  readonly model: EntityModel<object>
  /** The beginning of the RowKeys of messages. */
  readonly beginning: string
  /** The condition on RowKey that only the rows of the model meet. */
  readonly rows: FilterNode
  /** Tells whether a merge of these stored names can have messages; every merge can when absent. */
  readonly touches?: ((names: ReadonlySet<string>) => boolean) | undefined
  readonly messages: (transition: RowTransition) => readonly unknown[]
  readonly announce: (partition: OutboxPartition, options: CallOptions) => Promise<void>
  readonly newId: () => string
}

/** The property of a row that holds the message. */
export const MESSAGE = 'Message'

/** Stores messages in the transactions of the writes that they follow from. */
export class OutboxKeeper implements RowKeeper {
  readonly rows: FilterNode
  readonly #rules: OutboxRules

  /** @param rules - how messages are made */
  constructor(rules: OutboxRules) {
    this.#rules = rules
    this.rows = rules.rows
  }

  touches(names: ReadonlySet<string>): boolean {
    return this.#rules.touches?.(names) ?? true
  }

  async plan(transitions: readonly RowTransition[], call: KeptCall): Promise<KeptPlan> {
    const companions = transitions.flatMap((transition) => this.#changesOf(transition, call))
    const [first] = companions
    if (first !== undefined) {
      // Before the transaction: the partition of a message that is stored is always known to the workers.
      const { partitionKey } = first.input.key
      const partition = { table: call.table.name, partitionKey, last: false }
      const { service } = call.table
      await this.#rules.announce(partition, service.pendingCalls.seriesOf(call.options))
    }
    return { companions, rejected: async (_, error) => error }
  }

  #changesOf(transition: RowTransition, { table, attempt }: KeptCall): readonly Change[] {
    const { partitionKey, rowKey } = transition.key
    const { model, beginning, messages, newId } = this.#rules
    checkOwnKey(model, rowKey, { kind: 'the messages of its outbox', beginning })
    const made = messages(transition)
    checkList(made, `messages of the outbox of ${model.title}`)
    const time = String(table.service.now()).padStart(15, '0')
    return made.map((message, at) => {
      const place = String(at).padStart(3, '0')
      const row = new DynamicEntity(
        partitionKey,
        `${beginning}${time}_${place}_${newId()}_${attempt}`,
        {
          [MESSAGE]: printJson(message, `A message of the outbox of ${model.title}`),
        },
      )
      const key = { partitionKey, rowKey: row.rowKey }
      const body = dynamicEntityCodec.write(row)
      return { operation: insertEntity, input: { table: table.name, key, body } }
    })
  }
}
