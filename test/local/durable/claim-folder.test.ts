import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlink } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { claimFolder } from '../../../packages/local/src/durable/claim-folder.ts'
import { Records } from '../../../packages/local/src/durable/records.ts'
import { temporaryFolder } from '../../support/local-folder.ts'

const locked = expect.objectContaining({ code: 'StoreLocked' })

/** Opens the engine's files in another process, and returns the outcome. */
const openElsewhere = async (folder: string): Promise<string> => {
  const program = `
    const { ClassicLevel } = require('classic-level')
    new ClassicLevel(process.argv[1]).open()
      .then(() => 'opened', (error) => error.cause.code)
      .then((outcome) => process.stdout.write(outcome))`
  const child = spawn(process.execPath, ['-e', program, folder])
  let outcome = ''
  child.stdout.on('data', (chunk) => {
    outcome += chunk
  })
  await once(child, 'close')
  return outcome
}

describe('claimFolder', () => {
  it('gives a folder to one store at a time, whichever path leads to it', async () => {
    const folder = await temporaryFolder()
    const release = await claimFolder(folder)
    const alias = `${await temporaryFolder()}/alias`
    await symlink(folder, alias)
    await expect(claimFolder(folder)).rejects.toEqual(locked)
    await expect(claimFolder(alias)).rejects.toEqual(locked)
    await release()
    const again = await claimFolder(alias)
    await again()
  })

  it('keeps the lock against other processes after a second claim in this one', async () => {
    const folder = await temporaryFolder()
    const records = await Records.open(folder)
    await expect(Records.open(folder)).rejects.toEqual(locked)
    expect(await openElsewhere(folder)).toBe('LEVEL_LOCKED')
    await records.close()
    expect(await openElsewhere(folder)).toBe('opened')
  })

  it('releases a folder that could not be opened', async () => {
    const folder = `${import.meta.filename}/below`
    for (const _ of [1, 2]) {
      await expect(Records.open(folder)).rejects.toMatchObject({ code: 'InvalidStoreFolder' })
    }
  })
})
