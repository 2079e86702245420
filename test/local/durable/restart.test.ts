import { chmod, type FileHandle, mkdir, open, readdir, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { type LocalTableServiceOptions, localTableService } from '@rowkey/local'
import { parseDateTime, ticksOf } from '@rowkey/odata'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Conversation } from '../../support/local-conversation.ts'
import { temporaryFolder } from '../../support/local-folder.ts'

const HOUR = 3_600_000

/** Runs a service in a folder until `use` ends, with a clock that tests may set back. */
async function run(
  folder: string,
  act: (service: Conversation) => Promise<void>,
  clockOffset = 0,
): Promise<void> {
  const service = new Conversation({ data: folder })
  service.now += clockOffset
  try {
    await act(service)
  } finally {
    await service.local.close()
  }
}

const insert = async (service: Conversation, rowKey: string): Promise<string> => {
  const body = { PartitionKey: 'p', RowKey: rowKey }
  const { status, headers } = await service.send('POST', '/people', { body })
  expect(status).toBe(201)
  return headers.etag ?? ''
}

const createTable = (service: Conversation) =>
  service.send('POST', '/Tables', { body: { TableName: 'people' } })

/** Compares the times in the ETags, which count 100 ns. */
function expectAscending(etags: readonly string[]): void {
  const times = etags.map((etag) => {
    const text = /'(.+)'/.exec(decodeURIComponent(etag))?.[1] ?? ''
    return ticksOf(parseDateTime(text))
  })
  expect(times.filter((time, at) => at > 0 && time <= (times[at - 1] ?? 0n))).toEqual([])
}

describe('after a restart with the clock put back', () => {
  it('no ETag repeats that of a row which was deleted', async () => {
    const folder = await temporaryFolder()
    const etags: string[] = []
    await run(folder, async (service) => {
      await createTable(service)
      // Both happen within one millisecond; the second is 100 ns later.
      etags.push(await insert(service, 'a'), await insert(service, 'b'))
      const headers = { 'if-match': '*' }
      const address = "/people(PartitionKey='p',RowKey='b')"
      expect((await service.send('DELETE', address, { headers })).status).toBe(204)
    })
    const putBack = async (service: Conversation) => {
      etags.push(await insert(service, `c${etags.length}`))
    }
    await run(folder, putBack, -HOUR)
    await run(folder, putBack, -HOUR)
    expectAscending(etags)
  })

  it('no ETag repeats that of a row which a snapshot removed', async () => {
    const folder = await temporaryFolder()
    const etags: string[] = []
    await run(folder, async (service) => {
      await createTable(service)
      etags.push(await insert(service, 'a'))
      const before = await service.local.snapshot()
      etags.push(await insert(service, 'b'))
      await service.local.restore(before)
    })
    await run(folder, async (service) => void etags.push(await insert(service, 'c')), -HOUR)
    expectAscending(etags)
  })
})

describe('after a loss of power', () => {
  /** Notes the numbers of the files that are synced. */
  async function watchSyncs(): Promise<ReadonlySet<number>> {
    const synced = new Set<number>()
    const handle = await open(import.meta.filename)
    const kind: FileHandle = Object.getPrototypeOf(handle)
    await handle.close()
    const { sync } = kind
    const spy = vi.spyOn(kind, 'sync').mockImplementation(async function (this: FileHandle) {
      await sync.call(this)
      synced.add((await this.stat()).ino)
    })
    onTestFinished(() => spy.mockRestore())
    return synced
  }

  it('a store opens although each of its own files that was not synced is empty', async () => {
    const folder = await temporaryFolder()
    const synced = await watchSyncs()
    await run(folder, async (service) => {
      await createTable(service)
      await insert(service, 'a')
    })
    const own = (await readdir(folder)).filter((name) => /^rowkey-store\.(?!lock)/.test(name))
    expect(own.length).toBeGreaterThan(1)
    for (const name of own) {
      const path = join(folder, name)
      if (!synced.has((await stat(path)).ino)) await truncate(path)
    }
    await run(folder, async (service) => {
      const { body } = await service.send('GET', '/people()?$select=RowKey')
      expect(JSON.parse(body).value).toMatchObject([{ RowKey: 'a' }])
    })
  })
})

describe.skipIf(process.platform === 'win32')('the permissions of a store', () => {
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777

  const filesOf = async (folder: string) => {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name))
  }

  const readersOf = async (folder: string) => {
    const files = await filesOf(folder)
    expect(files.length).toBeGreaterThan(4)
    return [...new Set(await Promise.all(files.map(modeOf)))]
  }

  it('allow only their user to read a new folder and its files', async () => {
    const above = join(await temporaryFolder(), 'made')
    const folder = join(above, 'store')
    await run(folder, async (service) => {
      await createTable(service)
      await insert(service, 'a')
      expect(await readersOf(folder)).toEqual([0o600])
    })
    expect(await readersOf(folder)).toEqual([0o600])
    expect([await modeOf(folder), await modeOf(join(folder, 'rowkey-store.lock'))]).toEqual([
      0o700, 0o700,
    ])
  })

  it('of an existing folder stay, and its files become private', async () => {
    const folder = join(await temporaryFolder(), 'store')
    await mkdir(folder)
    await chmod(folder, 0o750)
    await run(folder, async (service) => void (await createTable(service)))
    expect([await modeOf(folder), await readersOf(folder)]).toEqual([0o750, [0o600]])
  })
})

describe('the flavour of a folder', () => {
  const connect = async (options: LocalTableServiceOptions) => {
    const local = localTableService(options)
    await local.open()
    return local
  }
  const makeTable = async (data: string, flavour: 'storage' | 'cosmos') => {
    const service = new Conversation({ data, flavour })
    expect((await createTable(service)).status).toBe(201)
    await service.local.close()
  }

  it.each([
    ['storage', 'cosmos'],
    ['cosmos', 'storage'],
  ] as const)('%s is rejected by a service of %s, and stays usable', async (made, given) => {
    const data = await temporaryFolder()
    await makeTable(data, made)
    await expect(connect({ data, flavour: given })).rejects.toMatchObject({
      code: 'InvalidStoreFolder',
      message: expect.stringContaining(`Open it with flavour '${made}', or give another folder.`),
    })
    await (await connect({ data, flavour: made })).close()
  })

  it('is that of its first table', async () => {
    const data = await temporaryFolder()
    await (await connect({ data, flavour: 'cosmos' })).close()
    await makeTable(data, 'storage')
  })
})
