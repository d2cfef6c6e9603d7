/**
 * Words of the headers of a table, by what the column has.
 * In the languages that are used most on the web, as people and programs write them. The preferred one is first. They
 * are compared as `headerKey` returns them.
 */
export const headerWords = {
  destination: wordsOf(`
    destination, url, link, address, target, destination url, long url, website, web address, web page, webpage, web site,
    site, web link, weblink, web url, target url, target link, destination link, destination address, link url, hyperlink,
    landing page, landing page url, page, page url, redirect, redirect url, redirect to, goes to, leads to, qr link,
    qr url, qr code link, qr code url, page link, url link, link to page, full url, web link url, internet, domain, uri, href, www, http, https, homepage, internet address, original url, to
    ziel, ziel url, zieladresse, ziel link, ziellink, adresse, webadresse, webseite, webseite url, internetadresse,
    internetseite, link url, link ziel, internet adresse, verknüpfung, verlinkung, seite, weiterleitung, führt zu, url adresse
    destino, enlace, dirección, dirección web, página web, sitio web, página, sitio, url de destino, enlace de destino,
    vínculo, hipervínculo, dirección url, enlace web, url del enlace, dirección de internet, sitio de internet
    cible, lien, adresse web, site web, site internet, page web, lien web, url cible, url de destination,
    lien de destination, adresse url, adresse du site, url du lien, adresse du lien, site internet url, hyperlien, adresse internet, lien cible
    endereço, endereço web, página da web, ligação, hiperligação, endereço de internet, endereço do site, url do link, morada web, site da web, link de destino, url destino
    destinazione, indirizzo, indirizzo web, collegamento, sito, sito web, sito internet, indirizzo internet, url del collegamento, pagina web, url di destinazione, link di destinazione
    bestemming, doel, internetadres, url link, adres, webadres, website adres, koppeling, snelkoppeling, doel url, bestemmings url, webpagina, doeladres
    cel, adres docelowy, adres url, adres www, adres internetowy, adres strony internetowej, adres strony, strona, strona internetowa, strona www,
    odnośnik, łącze, docelowy url, link docelowy, witryna
    cíl, odkaz, adresa, webová adresa, webová stránka, webové stránky, www stránky, adresa stránky, stránka, internetová adresa, cílová adresa, cílová url, web
    odkaz url, cieľ, webová stranka, cieľová adresa
    ссылка, адрес, адрес ссылки, сайт, веб сайт, вебсайт, адрес сайта, адрес страницы, веб страница, ссылка на сайт, веб адрес, назначение, адрес назначения, страница,
    гиперссылка, интернет адрес, url адрес, целевая ссылка, куда
    посилання, адреса, сайт, веб сайт, вебсайт, адреса сайту, адреса сторінки, веб сторінка, призначення, сторінка
    hedef, hedef url, hedef adres, bağlantı, adres, web adresi, web sitesi, site, internet adresi, köprü, hedef bağlantı, sayfa
    مقصد, پیوند, نشانی, آدرس, لینک, وب سایت, وبسایت, سایت, آدرس اینترنتی, آدرس وب, نشانی اینترنتی, آدرس سایت, نشانی وب
    الوجهة, الرابط, رابط, عنوان, العنوان, عنوان url, الموقع, موقع, موقع الويب, الموقع الإلكتروني, عنوان الويب, وصلة
    宛先, リンク, リンク先, url リンク, アドレス, ウェブサイト, ウェブアドレス, ウェブページ, リンクurl, urlアドレス, ホームページ, サイト, 遷移先, 飛び先, 転送先, 目的地, リンク先url,
    遷移先url, 転送先url, webサイト, ページ, サイトurl, webアドレス
    目标, 链接, 链接网址, 网页链接, 网页地址, 网址, 目标网址, 目标链接, 地址, 网站, 目的地, 连接, 超链接, 网页, 链接地址, 目标地址, 跳转链接, 跳转网址, 跳转地址, 网站地址
    目標, 連結, 網址, 目標網址, 鏈接, 網站, 網頁, 超連結, 連結網址, 目的網址, 網站地址, 地址
    대상, 링크, 주소, 웹사이트, 웹 주소, 홈페이지, 웹페이지, 웹 페이지, 링크 url, 홈페이지 주소, 사이트 주소, 사이트, 목적지, 대상 url, 연결, 연결 주소, 이동 주소, 인터넷 주소, 링크 주소
    đích, liên kết, đường dẫn, địa chỉ, trang web, địa chỉ trang web, địa chỉ web, đường link, url đích, website, liên kết đích
    tujuan, tautan, alamat, situs, situs web, alamat situs, url tujuan, alamat web, laman, pautan, halaman, tautan tujuan
    गंतव्य, लिंक, पता, वेबसाइट, वेब पता, पृष्ठ
    ปลายทาง, ลิงก์, ลิงค์, ที่อยู่, เว็บไซต์, เว็บ
    mål, webbsida, länk, adress, webbadress, webbplats, hemsida, målsida, lenke, nettside, nettadresse, nettsted, hjemmeside, webadresse, linkki,
    kohde, osoite, verkko osoite, verkkosivu, verkkosivusto
    cél, hivatkozás, cím, webcím, weboldal, weboldal címe, honlap, céloldal, destinație, legătură, adresă, pagină, pagină web, adresă web,
    προορισμός, σύνδεσμος, διεύθυνση, ιστοσελίδα, ιστότοπος, יעד, קישור, כתובת, אתר, אתר אינטרנט, дестинация, връзка,
    poveznica, odredište, web adresa, mrežna stranica, povezava, spletna stran, spletni naslov, cilj, nuoroda, adresas, svetainė, tinklalapis, saite,
    adrese, tīmekļa vietne, mājaslapa, aadress, veebileht, koduleht, sihtkoht, slóð, vefslóð, hlekkur, tengill, vefsíða, веза, линк, врска, спасылка`),
  name: wordsOf(`
    name, label, title, caption, item, item name, designation, heading, display name, link name, link title, code name, qr name,
    qr code name, full name, subject, text
    titel, bezeichnung, benennung, bezeichner, beschriftung, überschrift, namen, linktitel, linkname, artikelbezeichnung, artikelname, produktname, produktbezeichnung, artikel
    nombre, título, etiqueta, rótulo, denominación, nombre del enlace, designación, nombre del producto
    nom, titre, libellé, intitulé, étiquette, désignation, légende, dénomination, nom du lien, nom du produit
    nome, rótulo, etiqueta, designação, legenda, denominação, nome do produto
    titolo, etichetta, denominazione, nominativo, didascalia, designazione, nome prodotto, nome del prodotto
    naam, benaming, omschrijving kort, opschrift, labelnaam, aanduiding, productnaam
    nazwa, tytuł, etykieta, imię, określenie, opis krótki, podpis, nazwa produktu
    název, jméno, titulek, nadpis, označení, popisek, štítek, názov, meno, titulok, označenie
    название, имя, наименование, заголовок, подпись, метка, этикетка, титул, название товара, наименование товара
    назва, ім'я, найменування, заголовок, підпис, мітка
    ad, adı, isim, ismi, başlık, etiket, unvan, tanım
    نام, عنوان صفحه, برچسب, اسم, تیتر
    الاسم, اسم, التسمية, تسمية, اللقب
    名前, 名称, タイトル, 氏名, ラベル, 題名, 件名, 品名, 表示名, 名, 商品名, 製品名, お名前, 品目, 店名, 見出し
    名字, 名称, 标题, 姓名, 标签, 品名, 显示名称, 项目名称, 产品名称, 商品名称, 名, 题目
    名稱, 產品名稱, 商品名稱, 標題, 標籤, 顯示名稱
    이름, 명칭, 제목, 성명, 라벨, 레이블, 표제, 항목명, 제품명, 상품명, 이름표
    tên, tiêu đề, nhãn, tên gọi, họ tên, danh xưng
    nama, judul, label nama, sebutan, tajuk
    नाम, शीर्षक, ลาเบล, ชื่อ, หัวข้อ, ป้าย
    namn, rubrik, benämning, etikett, navn, tittel, betegnelse, overskrift, nimi, otsikko, nimike, név, megnevezés, elnevezés,
    felirat, nume, denumire, titlu, etichetă, όνομα, ονομασία, τίτλος, ετικέτα, שם, כותרת, תווית, име, наименование,
    nafn, heiti, naziv, ime, pavadinimas, vardas, nosaukums, vārds, nimetus, pealkiri, назив, име на производ, назва тавару,
    ürün, ürün adı, prekė, prece, toode, proizvod, izdelek, vara, termék, terméknév, varunamn, vare,
    product name, article name, product, article, company, company name, shop, store, table, room, location, place, station,
    produkt, firma, tisch, raum, standort, ort, producto, artículo, empresa, mesa, lugar, produit, entreprise, lieu, produto,
    local, prodotto, articolo, azienda, tavolo, luogo, bedrijf, tafel, locatie, miejsce, stolik, товар, компания, место,
    会社名, 場所, 产品, 商品, 公司, 地点, 位置, 產品, 地點, 제품, 상품, 회사, 장소`),
  note: wordsOf(`
    note, notes, comment, comments, description, remark, remarks, memo, info, details, annotation, additional info, information,
    notiz, notizen, anmerkung, anmerkungen, bemerkung, bemerkungen, kommentar, kommentare, beschreibung, hinweis, hinweise,
    vermerk, zusatz, zusatzinfo
    nota, notas, comentario, comentarios, observación, observaciones, descripción, detalles, anotación
    remarque, remarques, commentaire, commentaires, observation, observations, annotation, détails, mémo
    comentário, comentários, observação, observações, descrição, detalhes, anotação, obs
    note aggiuntive, commento, commenti, osservazione, osservazioni, descrizione, annotazione, annotazioni, appunti, dettagli
    notitie, notities, opmerking, opmerkingen, commentaar, omschrijving, beschrijving, toelichting, aantekening
    notatka, notatki, uwaga, uwagi, komentarz, komentarze, opis, adnotacja, dodatkowe informacje
    poznámka, poznámky, komentář, komentáře, popis, pozn, komentár, komentáre
    заметка, заметки, примечание, примечания, комментарий, комментарии, описание, пометка
    нотатка, нотатки, примітка, примітки, коментар, коментарі, опис
    not, notlar, açıklama, açıklamalar, yorum, yorumlar, ek bilgi
    یادداشت, یادداشت ها, توضیح, توضیحات, نظر, شرح, ملاحظات
    ملاحظة, ملاحظات, تعليق, تعليقات, الوصف, وصف, الملاحظات, بيان
    備考, メモ, 注記, コメント, 説明, 注釈, 摘要, 補足, ノート
    备注, 注释, 说明, 描述, 评论, 注解, 附注, 备忘
    備註, 註解, 說明, 備忘, 附註, 評論
    메모, 비고, 설명, 참고, 주석, 코멘트, 노트, 의견
    ghi chú, chú thích, mô tả, bình luận, nhận xét, diễn giải
    catatan, komentar, keterangan, deskripsi, uraian, penerangan, ulasan
    टिप्पणी, विवरण, नोट, หมายเหตุ, คำอธิบาย, บันทึก
    anteckning, anteckningar, anmärkning, kommentarer, beskrivning, merknad, bemærkning, beskrivelse, notat, noter, muistiinpano,
    huomautus, huomautukset, huomio, kommentti, kuvaus, megjegyzés, jegyzet, leírás, observație, observații, notă, comentariu,
    descriere, σημείωση, σημειώσεις, σχόλιο, σχόλια, περιγραφή, παρατηρήσεις, הערה, הערות, תיאור, бележка, бележки, описание,
    athugasemd, athugasemdir, lýsing, napomena, opomba, opombe, bilješka, pastaba, pastabos, aprašymas, komentaras, piezīme, piezīmes, apraksts, komentārs, märkus, märkused,
    kirjeldus, напомена, забелешка, заўвага`),
  folder: wordsOf(`
    folder, folder name, ordner, mappe, verzeichnis, carpeta, dossier, pasta, cartella, map, mapje, folder nazwa, katalog, složka,
    adresář, priečinok, папка, klasör, پوشه, مجلد, المجلد, フォルダ, フォルダー, 文件夹, 文件夾, 資料夾, 資料夹, 폴더, thư mục, फ़ोल्डर, โฟลเดอร์,
    mapp, kansio, mappa, dosar, φάκελος, תיקייה, תיקיה`),
  path: wordsOf(
    'path, short path, typed path, pfad, chemin, ruta, caminho, percorso, pad, ścieżka, путь, パス, 路径, 路徑, 경로',
  ),
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Returns the words between commas and line breaks. */
export function wordsOf(text: string): readonly string[] {
  return text.split(/[,\n]/).flatMap((word) => word.trim() || []);
}

// Letters that differ by language or keyboard only, and have no decomposition in Unicode.
const alike: Readonly<Record<string, string>> = {
  ı: 'i',
  ł: 'l',
  đ: 'd',
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ی: 'ي',
  ک: 'ك',
};

/** Returns a header without case, width, diacritics, spaces and punctuation. */
export function headerKey(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll(/[ıłđøßæœیک]/g, (letter) => alike[letter] ?? letter);
}

/** Returns the keys of a header: whole, and without what is in parentheses, such as `URL (required)`. */
export function headerKeys(text: string): string[] {
  return [headerKey(text), headerKey(outsideParentheses(text.normalize('NFKC')))].filter(
    (key) => key !== '',
  );
}

/** Returns what is outside of parentheses, also of one that is not closed. */
function outsideParentheses(text: string): string {
  let outside = '';
  let isInside = false;
  for (const character of text) {
    if ('([{【「'.includes(character)) isInside = true;
    if (!isInside) outside += character;
    if (')]}】」'.includes(character)) isInside = false;
  }
  return outside;
}
