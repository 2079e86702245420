import { isRowkeyError } from '@rowkey/odata'
import {
  corruptedStore,
  inaccessibleStore,
  invalidStoreFolder,
  lockedStore,
  type StoreError,
} from '../errors/store-error.ts'

/** What the system says when it refuses, and what to do about it. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/ENOSPC|No space left/i, 'the disk is full. Make room; what was acknowledged is kept'],
  [/EDQUOT|quota/i, 'the quota of the disk is used up. Make room; what was acknowledged is kept'],
  [/EFBIG|File too large/i, 'a file has grown as large as the system lets it. Raise that limit'],
  [
    /EROFS|Read-only file/i,
    'it lies on a read-only file system. Give a folder that can be written',
  ],
  [
    /EACCES|EPERM|Permission denied|not permitted/i,
    'the process has no right to it. Give it the right to read and write the folder and its files',
  ],
  [/EMFILE|ENFILE|Too many open files/i, 'too many files are open. Raise that limit'],
]

const DAMAGE = /corruption|missing files|does not exist|no such file|checksum|not an sstable/i

/**
 * What an error of the engine or of the file system means for a store.
 *
 * @param error - what was caught; an error of Rowkey's own is passed on as it is
 * @param folder - the store's folder
 */
export function storeErrorOf(error: unknown, folder: string): Error {
  if (isRowkeyError(error)) return error
  return storeErrorFor(error, folder, textsOf(error))
}

function storeErrorFor(cause: unknown, folder: string, text: string): StoreError {
  if (text.includes('LEVEL_LOCKED')) return lockedStore(folder, cause)
  if (/ENOTDIR|EEXIST/.test(text)) {
    const found = 'there is a file in its place. Give a folder'
    return invalidStoreFolder(folder, found, cause)
  }
  if (/ENAMETOOLONG|ELOOP/.test(text)) {
    const found = 'its path is too long, or leads in a circle. Give another path'
    return invalidStoreFolder(folder, found, cause)
  }
  const refusal = REFUSALS.find(([said]) => said.test(text))
  if (refusal !== undefined) return inaccessibleStore(folder, refusal[1], cause)
  if (DAMAGE.test(text)) {
    const found = 'the engine cannot read its files'
    return corruptedStore(folder, found, cause)
  }
  return inaccessibleStore(folder, `the system refused (${text})`, cause)
}

/** The codes and messages of an error and of those below it: the engine wraps what it was told. */
function textsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? `${error.code} ` : ''
  const below = error.cause === undefined ? '' : `; ${textsOf(error.cause)}`
  return `${code}${error.message}${below}`
}
