import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/** An installed browser is used first; the one that npm brings lacks fonts. */
const INSTALLED = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser'].find(
  existsSync,
)

/** Some of the package turn off what the tests watch, or put all pages into one process, which ends with one of its windows. */
const args = chromium.args.filter(
  (arg) => !/web-security|insecure-content|single-process|zygote/.test(arg),
)

/** Finds the browser. The one that npm brings is unpacked. */
export async function browserPath(): Promise<string> {
  return INSTALLED ?? (await chromium.executablePath())
}

/** Starts a browser. */
export async function openBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await browserPath(),
    // Coloured edges of letters would make pictures large, and others on each machine.
    args: [...(INSTALLED ? ['--no-sandbox'] : args), '--disable-lcd-text'],
    headless: true,
  })
}
