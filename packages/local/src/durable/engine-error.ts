import { isRowkeyError } from '@rowkey/odata'
import {
  corruptedStore,
  inaccessibleStore,
  invalidStoreFolder,
  lockedStore,
  type StoreError,
} from '../errors/store-error.ts'

/** Errors of the system, and what to do about each. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/ENOSPC|No space left/i, 'the disk is full. Make room; what was acknowledged is kept'],
  [/EDQUOT|quota/i, 'the quota of the disk is used up. Make room; what was acknowledged is kept'],
  [/EFBIG|File too large/i, 'a file reached the size limit of the system. Raise that limit'],
  [/EROFS|Read-only file/i, 'the file system is read-only. Give a folder that can be written'],
  [
    /EACCES|EPERM|Permission denied|not permitted/i,
    'the process has no permission. Let it read and write the folder and its files',
  ],
  [/EMFILE|ENFILE|Too many open files/i, 'too many files are open. Raise that limit'],
]

/** The engine reads past the end of a file that was cut off: for the system, an invalid argument. */
const DAMAGE =
  /corruption|missing files|does not exist|no such file|checksum|not an sstable|\.(?:ldb|sst): Invalid argument/i

/**
 * Makes the error of a store from an error of the engine or of the file system.
 *
 * @param error - the error; an error of Rowkey is returned as it is
 * @param folder - the folder of the store
 */
export function storeErrorOf(error: unknown, folder: string): Error {
  if (isRowkeyError(error)) return error
  return storeErrorFor(error, folder, textsOf(error))
}

function storeErrorFor(cause: unknown, folder: string, text: string): StoreError {
  if (text.includes('LEVEL_LOCKED')) return lockedStore(folder, cause)
  if (/ENOTDIR|EEXIST/.test(text)) {
    const found = 'the path is a file, or leads through one. Give a folder'
    return invalidStoreFolder(folder, found, cause)
  }
  if (/ENAMETOOLONG|ELOOP/.test(text)) {
    const found = 'the path is too long, or has a loop. Give another path'
    return invalidStoreFolder(folder, found, cause)
  }
  const refusal = REFUSALS.find(([said]) => said.test(text))
  if (refusal !== undefined) return inaccessibleStore(folder, refusal[1], cause)
  if (DAMAGE.test(text)) {
    const found = 'the engine cannot read the files'
    return corruptedStore(folder, found, cause)
  }
  return inaccessibleStore(folder, `the system reports ${text}`, cause)
}

/**
 * Returns the codes and messages of an error and its causes: the engine wraps the system's error.
 */
function textsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? `${error.code} ` : ''
  const below = error.cause === undefined ? '' : `; ${textsOf(error.cause)}`
  return `${code}${error.message}${below}`
}
