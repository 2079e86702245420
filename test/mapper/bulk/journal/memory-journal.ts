import type { BulkJournal } from '@rowkey/mapper'

/** A journal in memory, which can crash: then it keeps nothing more. */
export class MemoryJournal implements BulkJournal {
  text = ''
  appends = 0

  read(): string {
    return this.text
  }

  async append(text: string): Promise<void> {
    this.appends++
    await new Promise(setImmediate)
    this.text += text
  }

  /** The journal as it was after some of its lines. */
  after(lines: number): MemoryJournal {
    const earlier = new MemoryJournal()
    earlier.text = this.text.split('\n').slice(0, lines).join('\n')
    return earlier
  }
}
