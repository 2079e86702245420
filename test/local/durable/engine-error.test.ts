import { describe, expect, it } from 'vitest'
import { storeErrorOf } from '../../../packages/local/src/durable/engine-error.ts'
import { closedStore } from '../../../packages/local/src/errors/store-error.ts'

const failed = (code: string, message: string, cause?: Error) =>
  Object.assign(new RangeError(message, { cause }), { code })

describe('storeErrorOf', () => {
  it.each([
    ['StoreAccessFailed', /disk is full/, 'IO error: d/000003.log: No space left on device'],
    ['StoreAccessFailed', /size limit/, 'IO error: d/000003.log: File too large'],
    ['StoreAccessFailed', /read-only/, "EROFS: read-only file system, mkdir '/d'"],
    ['StoreAccessFailed', /no permission/, 'IO error: d/LOCK: Permission denied'],
    ['StoreAccessFailed', /quota/, 'EDQUOT: disk quota exceeded'],
    ['StoreAccessFailed', /too many files/, 'IO error: d/000005.ldb: Too many open files'],
    ['StoreAccessFailed', /Input\/output/, 'IO error: d/000005.ldb: Input/output error'],
    ['StoreCorrupted', /damaged/, 'Corruption: bad block handle'],
    ['StoreCorrupted', /damaged/, 'IO error: d/000005.ldb: Invalid argument'],
    ['StoreCorrupted', /damaged/, 'd: does not exist (create_if_missing is false)'],
    ['InvalidStoreFolder', /path is a file/, "ENOTDIR: not a directory, mkdir '/dev/null/d'"],
    ['InvalidStoreFolder', /too long/, "ENAMETOOLONG: name too long, mkdir '/d'"],
    ['InvalidStoreFolder', /loop/, "ELOOP: too many symbolic links, mkdir '/d'"],
  ])('makes %s %s of the error: %s', (code, text, said) => {
    const cause = failed('LEVEL_DATABASE_NOT_OPEN', 'Database failed to open', failed('X', said))
    const error = storeErrorOf(cause, '/data')
    expect(error).toMatchObject({ code, folder: '/data', cause })
    expect(error.message).toMatch(text)
    expect(error.message).toContain("'/data'")
  })

  it('recognizes a folder that is open elsewhere', () => {
    const cause = failed('LEVEL_LOCKED', 'IO error: lock d/LOCK: already held by process')
    expect(storeErrorOf(cause, '/data')).toMatchObject({ code: 'StoreLocked' })
  })

  it('returns an error of Rowkey as it is', () => {
    const error = closedStore('/data')
    expect(storeErrorOf(error, '/elsewhere')).toBe(error)
  })

  it('accepts any thrown value', () => {
    for (const thrown of ['odd', new Error('odd')]) {
      expect(storeErrorOf(thrown, '/data').message).toContain('the system reports odd.')
    }
  })
})
