import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { Conversation, rejectionOf } from '../../support/local-conversation.ts'
import { temporaryFolder } from '../../support/local-folder.ts'

const mount = (...args: readonly string[]): boolean => spawnSync('mount', args).status === 0

/** Mounts a small disk in memory; skips the test where the system does not allow it. */
async function smallDisk(skip: (reason: string) => void): Promise<string> {
  const folder = await temporaryFolder()
  const isMounted = mount('-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder)
  if (!isMounted) skip('a disk can be mounted by the administrator of a Linux machine only')
  onTestFinished(() => {
    spawnSync('umount', ['--lazy', folder])
  })
  return folder
}

/** Returns a service on a disk, its reports, and a function that inserts rows of 20 KiB. */
async function serviceOn(disk: string) {
  const reported: unknown[] = []
  const onInternalError = (error: unknown) => reported.push(error)
  const service = new Conversation({ data: join(disk, 'store'), onInternalError })
  onTestFinished(() => service.local.close())
  const insert = async (rowKey: number) => {
    const body = { PartitionKey: 'p', RowKey: `${rowKey}`, text: 'x'.repeat(20_480) }
    return (await service.send('POST', '/people', { body })).status
  }
  const rows = async (): Promise<number> => {
    const { body } = await service.send('GET', '/people()?$select=RowKey')
    return JSON.parse(body).value.length
  }
  return { service, reported, insert, rows }
}

describe('a durable service on a disk', () => {
  longTest(
    'reads on when the disk is full, rejects writes, and writes again when there is room',
    async ({ skip }) => {
      const disk = await smallDisk(skip)
      const { service, reported, insert, rows } = await serviceOn(disk)
      await service.send('POST', '/Tables', { body: { TableName: 'people' } })
      let stored = 0
      while ((await insert(stored)) === 201) stored++
      expect(stored).toBeGreaterThan(20)
      expect(reported).toEqual([
        expect.objectContaining({
          code: 'StoreAccessFailed',
          message: expect.stringContaining('the disk is full'),
        }),
      ])
      expect([await insert(stored), await insert(stored)]).toEqual([500, 500])
      const body = { PartitionKey: 'p', RowKey: 'x', text: 'x'.repeat(20_480) }
      const refused = rejectionOf(await service.send('POST', '/people', { body }))
      expect(refused).toEqual([
        500,
        'InternalError',
        'The store cannot be read or written: the disk is full. Make room; what was acknowledged is kept.',
      ])
      expect(await rows()).toBe(stored)

      mount('-o', 'remount,size=30m', disk)
      expect(await insert(stored)).toBe(201)
      expect(await rows()).toBe(stored + 1)
      await service.local.close()
      const again = await serviceOn(disk)
      expect(await again.rows()).toBe(stored + 1)
    },
  )

  it('cannot be opened while the disk is read-only', async ({ skip }) => {
    const disk = await smallDisk(skip)
    const { service, insert } = await serviceOn(disk)
    await service.send('POST', '/Tables', { body: { TableName: 'people' } })
    expect(await insert(1)).toBe(201)
    await service.local.close()

    mount('-o', 'remount,ro', disk)
    const again = await serviceOn(disk)
    await expect(again.service.local.open()).rejects.toMatchObject({
      code: 'StoreAccessFailed',
      message: expect.stringContaining('read-only'),
    })
    mount('-o', 'remount,rw', disk)
    await again.service.local.open()
    expect(await again.rows()).toBe(1)
  })
})
