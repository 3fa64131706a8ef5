import { TextField } from '@aws-amplify/ui-react'
import { useRef, useState } from 'react'
import { formatAmount } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { contrastToWhite, MIN_CONTRAST } from '@shared/rules/contrast.ts'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { at, contentOf, fileOf, LOGO_FILE, TENANT_FILE, word } from './documents.ts'
import { DraftLine } from './draft-field.tsx'
import type { Editing } from './use-editing.ts'
import { useFault } from './use-fault.ts'
import { useTenant } from './use-tenant.ts'

const isReadable = (color: string): boolean => (contrastToWhite(color) ?? 0) >= MIN_CONTRAST
const COLORS = ['headerColor', 'primaryColor'] as const

/** Logo and colours, as the portal's visitors will see them. */
export function LookPart({ editing }: { editing: Editing }) {
  const { t } = useTranslation('settings')
  const { settings } = editing
  const faultAt = useFault(settings)
  const { tenant, fault, put } = useTenant(editing)
  if (!tenant) return <Message type="error">{t('unreadable', { file: TENANT_FILE })}</Message>
  const color = (name: (typeof COLORS)[number]) => word(at(tenant, `theme.${name}`))
  return (
    <>
      <section className="card fields" aria-labelledby="colors">
        <h2 id="colors">{t('colors')}</h2>
        {COLORS.map((name) => (
          <div key={name} className="row-of">
            <DraftLine
              name={name}
              label={t(`color.${name}`)}
              isShort
              value={color(name)}
              fault={fault(`theme.${name}`)}
              save={async (wanted) => put(`theme.${name}`, () => wanted)}
            />
            <ColorChoice name={name} color={color(name)} save={async (wanted) => put(`theme.${name}`, () => wanted)} />
            <Contrast color={color(name)} />
          </div>
        ))}
        {COLORS.every((name) => isReadable(color(name))) && (
          <Sample
            header={color('headerColor')}
            primary={color('primaryColor')}
            name={word(at(tenant, 'name'))}
            settings={settings}
          />
        )}
      </section>
      <Logo editing={editing} fault={faultAt(LOGO_FILE)} />
    </>
  )
}

interface ColorChoiceProps {
  name: string
  color: string
  save: (color: string) => Promise<boolean>
}

/** The browser's own choice of a colour; what is tried is kept when it is left. */
function ColorChoice({ name, color, save }: ColorChoiceProps) {
  const { t } = useTranslation('settings')
  const [tried, setTried] = useState<string>()
  return (
    <TextField
      name={`${name}-choice`}
      label={t('choose')}
      type="color"
      className="setting--color"
      value={tried ?? (contrastToWhite(color) === undefined ? '#000000' : color)}
      onChange={({ target }) => setTried(target.value)}
      onBlur={() => {
        if (tried !== undefined) void save(tried).then(() => setTried(undefined))
      }}
    />
  )
}

function Contrast({ color }: { color: string }) {
  const { t } = useTranslation('settings')
  const contrast = contrastToWhite(color)
  if (contrast === undefined) return <p className="soft">{t('noColor')}</p>
  const value = formatAmount(contrast.toFixed(2), 2)
  return <p className="soft">{isReadable(color) ? t('contrastFine', { value }) : t('contrastLow', { value })}</p>
}

interface SampleProps {
  header: string
  primary: string
  name: string
  settings: Editing['settings']
}

/** The head of a page and a button in the tenant's colours. */
function Sample({ header, primary, name, settings }: SampleProps) {
  const { t } = useTranslation('settings')
  const logo = contentOf(fileOf(settings, LOGO_FILE))
  return (
    <figure className="sample">
      <figcaption className="soft">{t('sample')}</figcaption>
      <div className="sample__header" style={{ background: header }}>
        {logo !== undefined && <img className="sample__logo" src={`data:image/png;base64,${logo}`} alt="" />}
        <span>{name}</span>
      </div>
      <span className="sample__button" style={{ background: primary }}>
        {t('sampleButton')}
      </span>
    </figure>
  )
}

const base64 = async (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () =>
      resolve(typeof reader.result === 'string' ? (reader.result.split(',')[1] ?? '') : ''),
    )
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')))
    reader.readAsDataURL(file)
  })

/** Largest logo in bytes. */
const LARGEST = 200 * 1024

function Logo({ editing, fault }: { editing: Editing; fault: string | undefined }) {
  const { t } = useTranslation('settings')
  const picker = useRef<HTMLInputElement>(null)
  const [isTooLarge, setTooLarge] = useState(false)
  const shown = fileOf(editing.settings, LOGO_FILE)
  const logo = contentOf(shown)
  const choose = async (file: File) => {
    setTooLarge(file.size > LARGEST)
    if (file.size > LARGEST) return
    const content = await base64(file)
    await editing.replace(LOGO_FILE, content, shown?.hash)
  }
  return (
    <section className="card fields" aria-labelledby="logo">
      <h2 id="logo">{t('logo')}</h2>
      {logo !== undefined && <img className="setting__logo" src={`data:image/png;base64,${logo}`} alt={t('logoNow')} />}
      <p className="soft">{t('logoText')}</p>
      {(fault !== undefined || isTooLarge) && (
        <Message type="error" role="alert">
          {isTooLarge ? t('logoTooLarge') : fault}
        </Message>
      )}
      <input
        ref={picker}
        hidden
        type="file"
        accept="image/png"
        aria-label={t('logoChoose')}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) void choose(file)
          target.value = ''
        }}
      />
      <div className="row-of">
        <BusyButton isOff={editing.isBusy} onClick={() => picker.current?.click()}>
          {t('logoChoose')}
        </BusyButton>
      </div>
    </section>
  )
}
