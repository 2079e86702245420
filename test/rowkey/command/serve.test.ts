import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, DynamicEntity } from 'rowkey'
import { expect, it } from 'vitest'
import { serve } from '../../../packages/rowkey/src/command/serve.ts'

const nothing = {
  flavour: undefined,
  hosts: undefined,
  data: undefined,
  port: 0,
  host: undefined,
  accounts: undefined,
}

/** Serves until `use` resolves. */
const whileServing = async (data: string | undefined, use: (tables: string) => Promise<void>) => {
  let printed = ''
  await serve(
    { ...nothing, data },
    {
      print: (text) => {
        printed += text
      },
      warn: (text) => expect.fail(text),
      stopped: async () => {
        await new Promise((resolve) => setImmediate(resolve))
        await use(/^DefaultEndpointsProtocol=.*$/m.exec(printed)?.[0] ?? '')
      },
    },
  )
  return printed
}

it('serve keeps the tables of a folder from one start to the next', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rowkey-serve-'))
  try {
    const first = await whileServing(folder, async (tables) => {
      const account = connect(tables)
      await account.table('people').create()
      await account.table('people').insert(new DynamicEntity('Smith', 'Jeff'))
      await account.close()
    })
    expect(first).toContain(folder)
    await whileServing(folder, async (tables) => {
      const account = connect(tables)
      expect((await account.table('people').find(['Smith', 'Jeff']))?.rowKey).toBe('Jeff')
      await account.close()
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

it('serve frees its port when the terminal asks to stop', async () => {
  let endpoint = ''
  await whileServing(undefined, async (tables) => {
    endpoint = /TableEndpoint=(.*)/.exec(tables)?.[1] ?? ''
    expect((await fetch(`${endpoint}/Tables`)).status).toBe(403)
  })
  await expect(fetch(`${endpoint}/Tables`)).rejects.toThrow()
})
