import type {
  Account,
  EntityModel,
  KeptCall,
  KeptPlan,
  KeptTable,
  RowKeeper,
  RowTransition,
} from '@rowkey/mapper'
import {
  type BatchError,
  type CallOptions,
  type Change,
  insertEntity,
  type WriteResult,
} from '@rowkey/rest'
import { notSent } from '../conflicts/retry-conflicts.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { printJson } from '../errors/print-json.ts'
import { anArray } from '../errors/rules.ts'
import { optionsOfEachRequest } from '../options/pattern-options.ts'
import { keeping } from '../rows/changes.ts'
import { NOTHING_KEPT, planAgain } from '../rows/kept-rows.ts'
import {
  headInput,
  messageInput,
  messageKey,
  type OutboxHead,
  type OutboxPlace,
  outboxPlace,
} from './outbox-rows.ts'
import { readHead } from './stored-outbox.ts'

/**
 * The insert of a message. A stored message proves its transaction, because its id is unique. A missing one proves nothing: a worker may have
 * handled it.
 */
const insertMessage: Change['operation'] = {
  ...insertEntity,
  reconcile: {
    ...insertEntity.reconcile,
    async resolve(input, witness) {
      const outcome = await insertEntity.reconcile?.resolve?.(input, witness)
      return outcome === 'applied' ? outcome : 'unknown'
    },
  },
}

/** The effect of one write on one entity. */
export interface EntityTransition<Entity extends object> {
  /** The entity before the write; `undefined` when it is new. */
  readonly before: Entity | undefined
  /** The entity after the write; `undefined` when it was deleted. */
  readonly after: Entity | undefined
  /** Whether the row had another version of the model before: `before` is migrated, and may not show what was stored. */
  readonly isMigrated?: boolean | undefined
}

/** A partition whose outbox has messages, as JSON holds it. Pass it to `deliver` as it was announced. */
export interface OutboxPartition {
  /** The name of the table. */
  readonly table: string
  /** The PartitionKey. */
  readonly partitionKey: string
  /** Names the job, so that one job at a time delivers the messages. Without it they are delivered at once. */
  readonly ticket?: string | undefined
  /** The version of the outbox that the write of this announcement depends on. */
  readonly known?: string | undefined
  /** Whether this is the second look of the job at a write that was pending. */
  readonly again?: boolean | undefined
  /** Whether the worker of an earlier job ended while it delivered the messages: each attempt is stored before it begins. */
  readonly retried?: boolean | undefined
}

/** Tells the workers that a partition has messages. */
export type Announce = (
  partition: OutboxPartition,
  delay: number,
  options: CallOptions,
  account: Account,
) => Promise<void>

/** How the messages of an outbox are made and announced. */
export interface OutboxRules {
  readonly model: EntityModel<object>
  /** The beginning of the RowKeys of messages. */
  readonly beginning: string
  /** Tells whether a merge of these stored names can have messages; every merge can when absent. */
  readonly touches?: ((names: ReadonlySet<string>) => boolean) | undefined
  readonly messages: (transition: RowTransition, table: KeptTable) => readonly unknown[]
  readonly announce: Announce
  /** How often a message is tried before it becomes a dead letter. */
  readonly attempts: number
  /** Milliseconds after an announcement within which a write usually ends. */
  readonly writeTimeout: number
}

/** A message before it is stored. */
interface NewMessage {
  /** The RowKey of the entity that it is about; empty for a message that was sent without one. */
  readonly source: string
  readonly text: string
}

/** Milliseconds after which a write announces its messages although an earlier job should deliver them: that job may be lost. */
export const LOST_AFTER = 300_000
/** Milliseconds for which a process takes a head that it stored for the stored one: idle workers look for jobs as often. */
const HEAD_LIFE = 10_000
/** The most partitions whose heads a keeper remembers. */
const MOST_HEADS = 10_000

/** Stores messages in the transactions of the writes that they follow from. */
export class OutboxKeeper implements RowKeeper {
  readonly isShared = true
  readonly rules: OutboxRules
  /** Handles the messages of deleted entities now, in the table of a call. */
  readonly follow: NonNullable<RowKeeper['follow']>
  /** The heads as this process stored them, by account, table and partition. */
  readonly #heads = new Map<string, OutboxHead & { readonly until: number }>()

  /**
   * @param rules - how messages are made
   * @param follow - as {@link OutboxKeeper.follow}
   */
  constructor(rules: OutboxRules, follow: NonNullable<RowKeeper['follow']>) {
    this.rules = rules
    this.follow = follow
  }

  touches(names: ReadonlySet<string>): boolean {
    return this.rules.touches?.(names) ?? true
  }

  async plan(transitions: readonly RowTransition[], call: KeptCall): Promise<KeptPlan> {
    const made = transitions.flatMap((transition) => this.#messagesOf(transition, call.table))
    const [first] = transitions
    if (first === undefined || made.length === 0) return NOTHING_KEPT
    return this.store(first.key.partitionKey, made, call)
  }

  /** Plans the rows of the messages of one transaction. */
  async store(
    partitionKey: string,
    made: readonly NewMessage[],
    call: KeptCall,
  ): Promise<KeptPlan> {
    const place = outboxPlace(this.rules, call.table, partitionKey)
    const at = nameOf(place)
    const known = await this.#headOf(at, place, call)
    const head = await this.#announced(known, place, call)
    const change = keeping(headInput(place, head), known.etag || undefined)
    const messages = made.map(({ source, text }, number): Change => {
      const key = messageKey(place, head.last, number)
      const id = place.service.newId()
      const row = { key, id, source, text, attempts: 0, after: 0, reason: '' }
      return { operation: insertMessage, input: messageInput(place.name, row) }
    })
    return {
      companions: [change, ...messages],
      applied: ([{ etag } = {}]: readonly WriteResult[]) => {
        // After a lost response its version is unknown.
        if (etag === undefined) this.#heads.delete(at)
        else this.#remember(at, { ...head, etag, until: call.table.service.now() + HEAD_LIFE })
      },
      rejected: async (index: number, error: BatchError) => {
        this.#heads.delete(at)
        return planAgain(index, error)
      },
    }
  }

  /** Lets the next transaction of a partition read its head. */
  forget(place: OutboxPlace): void {
    this.#heads.delete(nameOf(place))
  }

  #messagesOf(transition: RowTransition, table: KeptTable): readonly NewMessage[] {
    const { rowKey: source } = transition.key
    const { model, messages } = this.rules
    const made = messages(transition, table)
    checkArgument(anArray, made, `The result of messages of the outbox of ${model.title}`)
    const place = `A message of the outbox of ${model.title}`
    return made.map((message) => ({ source, text: printJson(message, place) }))
  }

  async #headOf(at: string, place: OutboxPlace, { table, options }: KeptCall): Promise<OutboxHead> {
    const known = this.#heads.get(at)
    if (known !== undefined && table.service.now() < known.until) return known
    return readHead(place, options)
  }

  /**
   * Returns the head of the next transaction. A job is announced before the transaction, so that the workers know each partition with
   * stored messages. No job is announced while one is: it ends by changing the head, and then this transaction is planned again.
   */
  async #announced(
    known: OutboxHead,
    { service, name: table, partitionKey }: OutboxPlace,
    { account, options }: KeptCall,
  ): Promise<OutboxHead> {
    const now = service.now()
    const last = known.last + 1
    if (hasJob(known, now)) return { ...known, last }
    const ticket = service.newId()
    const partition = { table, partitionKey, ticket, known: known.etag }
    // The account opened the table.
    try {
      await this.rules.announce(partition, 0, optionsOfEachRequest(options), account as Account)
    } catch (error) {
      throw notSent(error, 'its announcement failed')
    }
    return { last, ticket, announcedAt: now, etag: known.etag }
  }

  #remember(at: string, head: OutboxHead & { readonly until: number }): void {
    if (this.#heads.size >= MOST_HEADS) this.#heads.clear()
    this.#heads.set(at, head)
  }
}

/** Tells whether a job will deliver a new message soon. A job for a message that failed may come much later. */
export function hasJob({ ticket, announcedAt }: OutboxHead, now: number): boolean {
  return ticket !== '' && announcedAt <= now && now < announcedAt + LOST_AFTER
}

/** Names a partition of an account. */
export function nameOf({ service, name, partitionKey }: OutboxPlace): string {
  return `${service.accountId} ${name} ${partitionKey}`
}
