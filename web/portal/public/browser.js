// Says to people whose browser is below the floor (build/floor.ts, D-PORTAL-7) what to do. Browsers of 2012 read it, too: it is no module, is not compiled, and is in ECMAScript 5.
;(function () {
  'use strict'

  /** What the portal cannot do without, and no browser at the floor lacks. */
  function isNewEnough() {
    try {
      // Part of what the portal's own files are written in.
      if (!new RegExp('(?<=a)b').test('ab')) return false
    } catch (_) {
      return false
    }
    return !!(window.AbortSignal && AbortSignal.timeout && navigator.locks && [].toSorted && window.CompressionStream)
  }

  if (isNewEnough()) return

  var isGerman = /^de/i.test(navigator.language || navigator.userLanguage || 'de')
  var words = isGerman
    ? {
        title: 'Ihr Browser ist zu alt für dieses Portal',
        todo: 'Bitte aktualisieren Sie Ihren Browser oder Ihr Gerät, oder öffnen Sie das Portal auf einem anderen Gerät.',
        floor:
          'Das Portal braucht mindestens Safari 16.4 (iPhone und iPad: iOS 16.4), Firefox 115, Chrome 112 oder einen anderen Browser, der nicht älter ist als 2023.',
        call: 'Oder rufen Sie uns an: ',
        letter: 'Oder rufen Sie uns an. Die Telefonnummer steht in Ihrem Brief.',
      }
    : {
        title: 'Your browser is too old for this portal',
        todo: 'Please update your browser or your device, or open the portal on another device.',
        floor:
          'The portal needs at least Safari 16.4 (iPhone and iPad: iOS 16.4), Firefox 115, Chrome 112 or another browser that is not older than 2023.',
        call: 'Or give us a call: ',
        letter: 'Or give us a call. The phone number is in your letter.',
      }

  function element(name, text, parent) {
    var made = document.createElement(name)
    made.appendChild(document.createTextNode(text))
    parent.appendChild(made)
    return made
  }

  // The policy of the page forbids style sheets of its own, and not these.
  function look(made, styles) {
    for (var name in styles) made.style[name] = styles[name]
  }

  function paragraph(text, parent) {
    var made = element('p', text, parent)
    look(made, { margin: '0 0 1rem' })
    return made
  }

  function show(application) {
    var panel = document.createElement('div')
    panel.setAttribute('role', 'alert')
    look(panel, {
      position: 'fixed',
      top: 0,
      right: 0,
      bottom: 0,
      left: 0,
      zIndex: 1000,
      overflow: 'auto',
      padding: '2rem 1.25rem',
      background: '#fff',
      color: '#16211f',
      font: '1.125rem/1.5 sans-serif',
    })
    var column = element('div', '', panel)
    look(column, { maxWidth: '36rem', margin: '0 auto' })
    if (application) look(paragraph(application.name, column), { fontWeight: 'bold' })
    look(element('h1', words.title, column), { margin: '0 0 1rem', fontSize: '1.625rem', lineHeight: '1.25' })
    paragraph(words.todo, column)
    paragraph(words.floor, column)
    var contact = application && application.accessibility && application.accessibility.contact
    if (contact && contact.phone) {
      var call = paragraph(words.call, column)
      var number = element('a', contact.phone, call)
      number.href = 'tel:' + contact.phone.replace('(0)', '').replace(/[^\d+]/g, '')
      look(number, { color: '#0b3b40', fontWeight: 'bold', whiteSpace: 'nowrap' })
    } else paragraph(words.letter, column)

    document.documentElement.lang = isGerman ? 'de' : 'en'
    document.title = words.title
    // What the portal itself made of it, if anything, is out of reach for everybody.
    for (var child = document.body.firstChild; child; child = child.nextSibling)
      if (child.style) child.style.display = 'none'
    document.body.appendChild(panel)
  }

  var request = new XMLHttpRequest()
  request.open('GET', '/api/public/application')
  request.addEventListener('loadend', function () {
    var application
    try {
      application = request.status === 200 ? JSON.parse(request.responseText) : undefined
    } catch (_) {
      application = undefined
    }
    show(application)
  })
  request.send()
})()
