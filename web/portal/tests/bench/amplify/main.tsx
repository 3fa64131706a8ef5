/** The login as a developer would begin it with Amplify UI: its components, its styles, its theme, and nothing else. */
import { Button, Card, Heading, PasswordField, Tabs, Text, TextField, ThemeProvider } from '@aws-amplify/ui-react'
import '@aws-amplify/ui-react/styles.css'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

async function applicationName(): Promise<string> {
  const answer = await fetch('/api/public/application')
  const application = (await answer.json()) as { name: string }
  return application.name
}

function Login() {
  const [name, setName] = useState<string>()
  useEffect(() => {
    void applicationName().then(setName)
  }, [])
  if (!name) return null
  const form = (
    <form>
      <TextField name="username" size="large" label="Benutzername" />
      <PasswordField name="password" size="large" label="Passwort" />
      <Button type="submit" variation="primary" size="large" isFullWidth>
        Anmelden
      </Button>
    </form>
  )
  return (
    <Card>
      <Heading level={1}>Zählerstand melden</Heading>
      <Text>{name}</Text>
      <Tabs
        defaultValue="with"
        items={[
          { label: 'Mit Zugangsdaten', value: 'with', content: form },
          { label: 'Ohne Zugangsdaten', value: 'without', content: <Text>Ablesung ohne Anmeldung</Text> },
        ]}
      />
    </Card>
  )
}

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <ThemeProvider>
        <Login />
      </ThemeProvider>
    </StrictMode>,
  )
