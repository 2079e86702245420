import { expect, it, vi } from 'vitest'

const TEXTS = [
  ['', 0],
  ['abc', 3],
  ['äé', 4],
  ['€', 3],
  ['😀', 4],
  ['\ud800', 3],
] as const

it.each(['with', 'without'])('counts the bytes of UTF-8 %s a Buffer', async (buffer) => {
  if (buffer === 'without') vi.stubGlobal('Buffer', undefined)
  vi.resetModules()
  const { utf8Length } = await import('../../../packages/rest/src/transaction/utf8-length.ts')
  vi.unstubAllGlobals()
  for (const [text, length] of TEXTS) expect(utf8Length(text), text).toBe(length)
})
