import { InputError } from '@rowkey/odata'
import { DEVELOPMENT_ACCOUNT } from '@rowkey/rest'
import { describe, expect, it, vi } from 'vitest'
import { inaccessibleStore } from '../../../packages/local/src/errors/store-error.ts'
import { createService } from '../../../packages/local/src/service/create-service.ts'

describe('createService', () => {
  it('uses the account of emulators, real time and new ids by default', () => {
    const service = createService({})
    expect([...service.accounts.keys()]).toEqual([DEVELOPMENT_ACCOUNT])
    expect(service.newId()).not.toBe(service.newId())
    expect(Math.abs(service.clock.now() - Date.now())).toBeLessThan(60_000)
  })

  it.each([{ keepNameFor: -1 }, { keepNameFor: Number.NaN }, { keepNameFor: 1, for: 2 }])(
    'R-25: rejects the tableDeletion %o',
    (tableDeletion) => {
      expect(() => createService({ tableDeletion })).toThrow(InputError)
    },
  )

  it.each(['bearer', 'newId', 'now', 'onInternalError', 'pause', 'random'])(
    'rejects a %s that is not a function, before it is called',
    (name) => {
      expect(() => createService({ [name]: 5 })).toThrow(`${name} of localTableService`)
      expect(() => createService({ [name]: null })).toThrow(InputError)
    },
  )

  it.each(['', 'a\0b', 5, null, {}])('rejects %j as a folder', (data) => {
    expect(() => createService({ data: data as never })).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
  })

  it('emits errors as process warnings, and the same error of the store once in a row', async () => {
    const emitted: unknown[] = []
    const note = (warning: unknown) => emitted.push(warning)
    process.on('warning', note)
    const full = () => inaccessibleStore('/data', 'the disk is full')
    const readOnly = inaccessibleStore('/data', 'it is read-only')
    const failure = new RangeError('broken')
    const { report } = createService({})
    for (const error of [full(), full(), failure, failure, full(), readOnly, 'text']) report(error)
    await vi.waitFor(() => expect(emitted.at(-1)).toMatchObject({ message: 'text' }))
    process.off('warning', note)
    expect(emitted.slice(0, -1)).toEqual([full(), failure, failure, readOnly])
  })
})
