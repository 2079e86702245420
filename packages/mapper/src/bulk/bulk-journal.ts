/**
 * Keeps the journal of a bulk write, so that a later run can resume it: any store of text.
 *
 * @example
 * ```ts
 * const journal: BulkJournal = {
 *   read: async () => (await blob.exists()) ? blob.downloadText() : '',
 *   append: (text) => blob.appendText(text),
 * }
 * ```
 */
export interface BulkJournal {
  /** Returns everything that was appended so far; an empty text at first. */
  read(): string | Promise<string>
  /**
   * Appends a text.
   *
   * @returns resolves when the text will survive a crash of the machine
   */
  append(text: string): Promise<void>
}

/** A file that was opened with flags `'a+'` by `open` of `node:fs/promises`. */
export interface JournalFile {
  /** Reads the file from its beginning. */
  readFile(options: { readonly encoding: 'utf8' }): Promise<string>
  /** Appends a text. */
  appendFile(text: string): Promise<void>
  /** Waits until the appended lines survive a crash of the machine. */
  datasync(): Promise<void>
}

/** Returns the journal that is kept in a file, or the caller's own. */
export function toJournal(given: BulkJournal | JournalFile): BulkJournal {
  if (!('appendFile' in given)) return given
  return {
    read: () => given.readFile({ encoding: 'utf8' }),
    async append(text) {
      await given.appendFile(text)
      await given.datasync()
    },
  }
}

/** Tells whether a value can be a journal. */
export function isJournal(given: unknown): given is BulkJournal | JournalFile {
  const { read, append, readFile, appendFile, datasync }: Partial<BulkJournal & JournalFile> =
    Object(given)
  const isFile = [readFile, appendFile, datasync].every((each) => typeof each === 'function')
  return isFile || (typeof read === 'function' && typeof append === 'function')
}
