import { expect } from 'vitest'
import { serve } from '../../../packages/rowkey/src/command/serve.ts'
import type { ServeOptions } from '../../../packages/rowkey/src/command/serve-options.ts'

const nothing = {
  flavour: undefined,
  hosts: undefined,
  data: undefined,
  port: 0,
  host: undefined,
  accounts: undefined,
  log: undefined,
  seed: undefined,
  tls: undefined,
  oauth: undefined,
}

/** Serves until `use` resolves; returns what was printed. */
export const whileServing = async (
  data: string | undefined,
  use: (tables: string) => Promise<void>,
  options: Partial<ServeOptions> = {},
) => {
  let printed = ''
  await serve(
    { ...nothing, data, ...options },
    {
      environment: {},
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
