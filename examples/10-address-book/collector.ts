import type { Queue } from '@rowkey/patterns'
import type { SharedAccessSignature } from '@rowkey/rest'
import { connect, type Table } from 'rowkey'
import { Contact } from './contact.ts'

const TWO_MINUTES = 120_000

/** Deletes the entries of customers who left. */
export class Collector {
  readonly #contacts: Table<Contact>
  readonly #leaving: Queue

  constructor(endpoint: string, table: string, { token }: SharedAccessSignature, leaving: Queue) {
    this.#contacts = connect({ endpoint, credential: { sas: token } }).table(Contact, table)
    this.#leaving = leaving
  }

  /**
   * Takes the next customer from the queue and deletes all entries, 100 in a batch. When it fails, another collector
   * gets the customer after two minutes; deleting again is safe.
   */
  async collectNext(): Promise<string> {
    const [message] = await this.#leaving.receive({ count: 1, visibility: TWO_MINUTES })
    if (message === undefined) return 'the queue is empty'
    const { done } = await this.#contacts.deletePartition(message.text)
    await this.#leaving.delete(message)
    return `deleted ${done} entries of ${message.text}`
  }
}
