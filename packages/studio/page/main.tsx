import { render } from 'preact'
import type { StudioFacts } from '../src/server/wire.ts'
import { App } from './app.tsx'
import { ask, failureOf, send } from './ask-server.ts'
import { Problem } from './problem.tsx'

const place = document.getElementById('studio') as HTMLElement

/** Exchanges the token of the printed address for a cookie. It leaves the address first, and the history. */
async function enter(): Promise<void> {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1]
  if (token === undefined) return
  history.replaceState(null, '', location.pathname + location.search)
  await send('session', { token })
}

try {
  await enter().catch(async (error: unknown) => {
    // A reloaded address has a used token, but the browser was let in before.
    await ask('studio').catch(() => Promise.reject(error))
  })
  render(<App facts={await ask<StudioFacts>('studio')} />, place)
} catch (error) {
  // A pasted address that differs only behind its # loads nothing by itself.
  addEventListener('hashchange', () => location.reload())
  render(
    <main class="alone">
      <h1>Rowkey studio</h1>
      <Problem failure={failureOf(error)} />
    </main>,
    place,
  )
}
