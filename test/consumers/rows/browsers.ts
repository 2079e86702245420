import { existsSync } from 'node:fs'
import type { Consumer } from '../consumer.ts'

/** A browser that opens pages of a consumer. */
export interface Browser
  extends Pick<Consumer, 'name' | 'tool' | 'version' | 'versionsOf' | 'missing'> {
  /** `BROWSER` of the programs. */
  readonly environment: Readonly<Record<string, string>>
}

/** No package has a Firefox as its makers build it. Browsers of Debian, Ubuntu and GitHub's machines are here. */
const FIREFOX = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path))

/** The browsers that pages run in. Both are driven by puppeteer-core; Firefox needs no other driver. */
export const BROWSERS: readonly Browser[] = [
  {
    name: 'chromium',
    tool: 'Chromium',
    versionsOf: ['@sparticuz/chromium'],
    environment: { BROWSER: 'chromium' },
  },
  {
    name: 'firefox',
    tool: 'Firefox',
    version: [FIREFOX ?? 'firefox', '--version'],
    environment: { BROWSER: FIREFOX ?? 'firefox' },
    missing: () =>
      FIREFOX === undefined ? 'no Firefox here: install firefox-esr of Debian' : undefined,
  },
]
