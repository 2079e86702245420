import { type InputError, invalidOption } from '@rowkey/odata'
import { mapperInputError } from '../../errors/codes.ts'
import type { BulkJournal, JournalFile } from '../bulk-options.ts'

/**
 * Keeps a journal in a file, whatever its position and the flags that it was opened with. The file must have the
 * size that the last append left: so of two runs, also of two processes, one ends before it sends.
 *
 * @param file - the caller's open file
 */
export function journalInFile(file: JournalFile): BulkJournal {
  /** The size of the file; `undefined` after an append that failed, which may have stored a part. */
  let size: number | undefined
  return {
    async read() {
      const bytes = new Uint8Array((await file.stat()).size + 1) // one more, to find the end
      size = 0
      for (let got = 1; got > 0 && size < bytes.length; size += got) {
        got = (await file.read(bytes, size, bytes.length - size, size)).bytesRead
      }
      return new TextDecoder().decode(bytes.subarray(0, size))
    },

    async append(text) {
      const bytes = new TextEncoder().encode(text)
      const start = size ?? (await file.stat()).size
      size = undefined
      for (let at = 0; at < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, at, bytes.length - at, start + at)
        if (bytesWritten === 0) throw invalidOption('The file of a journal accepts no more bytes.')
        at += bytesWritten
      }
      await file.datasync()
      const end = start + bytes.length
      if ((await file.stat()).size !== end) throw usedTwice()
      size = end
    },
  }
}

/** Returns the error of a journal that two runs use at the same time. */
export function usedTwice(): InputError {
  return mapperInputError({
    code: 'JournalInUse',
    message:
      'The journal of a bulk write is in use by another run. Give each run a journal of its own.',
  })
}
